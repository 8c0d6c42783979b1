// Updates that are no reductions over all of a Func: whatever is sampled for
// them is right.
#include "Halide.h"
#include "gtest/gtest.h"
#include "halide_ext/tests/checked_kernels.h"
#include "halide_ext/tests/edge_cases_fixture.h"

namespace pruner {
namespace {

using Halide::clamp;
using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::select;
using Halide::Var;

using UpdatesTest = EdgeCasesTest;

TEST_F(UpdatesTest, OpaqueStages) {
  ImageParam a = Input("a", {24, 33});
  Func limit("limit"), twice("twice"), some("some"), out("out");
  RDom r(0, 24, "r"), all(0, 24, 0, 33, "all");
  twice(y) = 0.0f;
  twice(y) += a(r, y);
  twice(y) *= 2.0f;
  limit(y) = select(y > 4, 3, 8);
  all.where(all.x < limit(all.y));
  some(y) = 0.0f;
  some(all.y) += a(all.x, all.y);
  out(y) = some(y) + twice(32 - y);
  out.bound(y, 0, 33);
  CheckSamples(out, 5);
}

TEST_F(UpdatesTest, OrderOfTheReductionMatters) {
  // No larger: for AVX-512 LLVM takes minutes when 30 steps are unrolled.
  ImageParam a = Input("a", {4, 3, 64, 64});
  Func f("f"), out("out");
  RDom r(0, 4, 0, 3, "r");
  f(x, y) = 0.0f;
  f(x, y) = Halide::max(f(x, y) * 0.5f, 1.0f) + a(r.x, r.y, x, y);
  out(x, y) = f(x, y);
  out.bound(x, 0, 64).bound(y, 0, 64);
  CheckSamples(out, 5);
}

// Large enough that what is independent runs in parallel.
TEST_F(UpdatesTest, UpdatesInPlace) {
  ImageParam a = Input("a", {200, 100});
  Func f("f"), out("out");
  RDom r(1, 99, "r"), all(0, 200, "all");
  f(x, y) = a(x, y);
  f(x, r) += f(x, r - 1) * 0.0f + a(x, r);
  f(x, y) *= select(f(x, y) > 1.0f, 2.0f, 1.0f);
  f(all, y) = Halide::max(f(all, y), f(199 - all, y));
  f(x, 7) = f(x, 8) + 1.0f;
  out(x, y) = f(x, y) + f(199 - x, y);
  out.bound(x, 0, 200).bound(y, 0, 100);
  CheckSamples(out, 3);
}

// Rows of cells in parallel, although the outermost dimension is independent,
// too: it is short.
TEST_F(UpdatesTest, ScatteredHistogram) {
  ImageParam a = Input("a", {160, 160});
  Var z("z"), c("c");
  RDom r(0, 8, 0, 8, "r");
  Func histogram("histogram"), out("out");
  const Expr value = a(8 * x + r.x, 8 * y + r.y);
  histogram(x, z, y, c) = 0.0f;
  histogram(x, clamp(Halide::cast<int>(value), 0, 3), y, c) +=
      select(c == 0, value, 1.0f);
  out(x, y) = histogram(x, 0, y, 0) + 2.0f * histogram(x, 1, y, 1) +
              histogram(x, 2, y, 0) * histogram(x, 3, y, 1);
  out.bound(x, 0, 20).bound(y, 0, 20);
  CheckSamples(out, 5);
}

TEST_F(UpdatesTest, LongRowsUpdatedInPlace) {
  ImageParam a = Input("a", {20016, 3});
  Func f("f"), out("out");
  RDom r(0, 3, "r");
  r.where(r != x % 3);
  f(x) = 1.0f;
  f(x) += a(x, r);
  f(x) = Halide::max(f(x), 0.0f);
  out(x) = f(x) + 1.0f;
  out.bound(x, 0, 20016);
  CheckSamples(out, 3);
}

}  // namespace
}  // namespace pruner
