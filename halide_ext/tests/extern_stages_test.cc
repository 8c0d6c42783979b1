// Extern stages among others: whatever is sampled for these is right.
#include <cstdint>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/fixed_names.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/tests/checked_kernels.h"
#include "halide_ext/tests/edge_cases_fixture.h"

// An extern stage: sum over k of in(x + k - 1, y) * kernel(k), times `gain`.
// Compiled code finds it by its name.
extern "C" int pruner_test_blur(halide_buffer_t* in, halide_buffer_t* kernel,
                                int gain, halide_buffer_t* out) {
  const halide_dimension_t& x = out->dim[0];
  const halide_dimension_t& y = out->dim[1];
  if (in->is_bounds_query()) {
    in->dim[0].min = x.min - 1;
    in->dim[0].extent = x.extent + 2;
    in->dim[1] = y;
  }
  if (kernel->is_bounds_query()) {
    kernel->dim[0].min = 0;
    kernel->dim[0].extent = 3;
  }
  if (in->is_bounds_query() || kernel->is_bounds_query() ||
      out->is_bounds_query()) {
    return 0;
  }
  const auto at = [](const halide_buffer_t* b, int i, int j) -> float& {
    int64_t offset = static_cast<int64_t>(i - b->dim[0].min) * b->dim[0].stride;
    if (b->dimensions > 1)
      offset += static_cast<int64_t>(j - b->dim[1].min) * b->dim[1].stride;
    return reinterpret_cast<float*>(b->host)[offset];
  };
  for (int j = y.min; j < y.min + y.extent; ++j) {
    for (int i = x.min; i < x.min + x.extent; ++i) {
      float sum = 0;
      for (int k = 0; k < 3; ++k)
        sum += at(in, i + k - 1, j) * at(kernel, k, 0);
      at(out, i, j) = sum * static_cast<float>(gain);
    }
  }
  return 0;
}

namespace pruner {
namespace {

using Halide::Float;
using Halide::Func;
using Halide::ImageParam;

using ExternStagesTest = EdgeCasesTest;

// Around an extern stage that reads more than it is asked for; whether its
// producer's size is guessed or given, right or wrong, changes nothing.
TEST_F(ExternStagesTest, ExternStages) {
  for (const int estimate : {0, 72, 10}) {
    ImageParam a = Input("a", {74, 20}), kernel = Input("kernel", {3});
    Func q("q"), p("p"), blackbox = NamedFunc("blackbox"), out("out");
    q(x, y) = Positive(a(x + 1, y));
    p(x, y) = Positive(q(x, y) + a(x, y));
    if (estimate > 0) p.set_estimate(x, 0, estimate).set_estimate(y, 0, 20);
    blackbox.define_extern("pruner_test_blur", {p, kernel, 2}, Float(32),
                           {x, y});
    out(x, y) = blackbox(x, y) * 2.0f + blackbox(x + 1, y);
    out.bound(x, 1, 69).bound(y, 0, 20);
    EXPECT_EQ(Notes(out).size(), estimate > 0 ? 1 : 2);
    CheckSamples(out, 4);
  }
}

TEST_F(ExternStagesTest, ExternOutputsOfInputs) {
  ImageParam a = Input("a", {66, 20}), kernel = Input("kernel", {3});
  Func blackbox = NamedFunc("blackbox");
  blackbox.define_extern("pruner_test_blur", {a, kernel, 2}, Float(32), {x, y});
  blackbox.bound(x, 1, 64).bound(y, 0, 20);
  CheckSchedules(blackbox, {Schedule()});
}

TEST_F(ExternStagesTest, ExternStagesThatAreNotThere) {
  ImageParam a = Input("a", {64});
  Func blackbox = NamedFunc("blackbox");
  blackbox.define_extern("no_such_function", {a}, Float(32), {x});
  blackbox.bound(x, 0, 64);
  const absl::StatusOr<Workload> workload = MakeWorkload("gone", blackbox);
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_FALSE(
      WorkloadPipeline::Load(workload->pipeline)->CompileReference().ok());
}

}  // namespace
}  // namespace pruner
