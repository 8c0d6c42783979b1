// What is known of the indices that stages read.
#include <string>

#include "Halide.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/analyze.h"
#include "halide_ext/analyze/fixed_names.h"
#include "halide_ext/analyze/test_pipelines.h"

namespace pruner {
namespace {

using Halide::clamp;
using Halide::Float;
using Halide::Func;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::Var;
using ::testing::HasSubstr;

// What an element reads is counted, though its indices look alike.
TEST(IndexExprTest, GathersAreCounted) {
  ImageParam table(Float(32), 2, "table"), index(Halide::Int(32), 1, "index");
  SetSizes(table, {100, 100});
  SetSizes(index, {10});
  Var x("x");
  Func gathers = NamedFunc("gathers");
  const Halide::Expr at = clamp(index(x), 0, 98);
  gathers(x) =
      table(at, 0) * table(at, 1) + table(at + 1, x / 2 + x % 2) + table(at, 0);
  gathers.bound(x, 0, 10);
  EXPECT_EQ(DagText(Pipeline(gathers)),
            "table[100,100] input f32\n"
            "index[10] input i32\n"
            "gathers[x:10] f32 output (float_add:2 float_mul:1) table[0,?(x)] "
            "index[x] "
            "table[1,?(x)] table[(x)/2,?(x)] table[(x+2)/2,?(x)]\n");
}

TEST(IndexExprTest, QuotientsAndRemainders) {
  Var x("x");
  const auto reads = [&](const Halide::Expr& index) {
    ImageParam a(Float(32), 1, "a");
    Func f = NamedFunc("f"), out = NamedFunc("out");
    f(x) = a(clamp(x, 0, 9)) + 1.0f;
    out(x) = f(index);
    out.bound(x, 0, 12);
    const std::string text = DagText(Pipeline(out));
    const size_t begin = text.find("out[");
    return text.substr(text.find("f[", begin));
  };
  // f begins at -2, at 0, at -1, ...
  EXPECT_EQ(reads(x / 2 - 2), "f[(x)/2]\n");
  EXPECT_EQ(reads((x + 1) / 2), "f[(x+1)/2]\n");
  EXPECT_EQ(reads(x / 2 - 1 + 2 * (x % 2)), "f[(x)/2] f[(x+4)/2]\n");
  EXPECT_EQ(reads(x / 2 + x), "f[(3*x)/2]\n");
  EXPECT_EQ(reads(x / 2 / 3), "f[(x)/6]\n");
  EXPECT_EQ(reads((x / 2 + x % 2) / 2), "f[(x)/4] f[(x+4)/4]\n");
  EXPECT_EQ(reads(x - x % 4), "f[x] f[x+3]\n");
  // Not said: what is scaled after it was divided, what depends on nothing
  // else.
  EXPECT_EQ(reads(x / 2 * 2), "f[?(x)]\n");
  EXPECT_EQ(reads(x / 2 - x / 3), "f[?(x)]\n");
  EXPECT_EQ(reads(x % 4 + 1), "f[?(x)]\n");
}

TEST(IndexExprTest, GathersAreOpaqueAccesses) {
  ImageParam table(Float(32), 1, "table"), index(Halide::Int(32), 1, "index");
  SetSizes(table, {100});
  SetSizes(index, {10});
  Var x("x");
  Func gather("gather");
  gather(x) = table(clamp(index(x), 0, 99));
  gather.set_estimate(x, 0, 10);
  EXPECT_EQ(DagText(Pipeline(gather)),
            "table[100] input f32\n"
            "index[10] input i32\n"
            "gather[x:10] f32 output table[?(x)] index[x]\n");
}

// Whose rows are some way off, by a table: a vector's elements are in one row.
TEST(IndexExprTest, ClampedDataMovesRowsByAnythingBetween) {
  ImageParam a(Float(32), 2, "a"), table(Halide::Int(32), 1, "table");
  SetSizes(a, {16, 32});
  SetSizes(table, {16});
  Var x("x"), y("y"), k("k");
  Func down = NamedFunc("down"), beside = NamedFunc("beside");
  down(x, y, k) = a(x, y + clamp(table(k), -2, 3));
  beside(x, y) = a(clamp(table(x), 0, 3) + y, 0);
  down.bound(x, 0, 16).bound(y, 2, 24).bound(k, 0, 16);
  beside.bound(x, 0, 16).bound(y, 0, 8);
  EXPECT_THAT(AnalyzePipeline(Pipeline(down))->dag.ToString(),
              HasSubstr("a[y,x] a[y+5,x]"));
  EXPECT_THAT(AnalyzePipeline(Pipeline(beside))->dag.ToString(),
              HasSubstr("a[0,?(y+x)]"));
}

}  // namespace
}  // namespace pruner
