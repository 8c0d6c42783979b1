#include "halide_ext/analyze/analyze.h"

#include <map>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/fixed_names.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/analyze/test_pipelines.h"

namespace pruner {
namespace {

using Halide::clamp;
using Halide::Expr;
using Halide::Float;
using Halide::Func;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::RDom;
using Halide::select;
using Halide::Var;

// Halide turns what a definition repeats into let expressions.
TEST(AnalyzeTest, RepeatedIndicesAreUnderstood) {
  ImageParam a(Float(32), 1, "a"), b(Float(32), 1, "b");
  SetSizes(a, {8});
  Var x("x");
  Func twice("twice"), mixed("mixed");
  twice(x) = 2.0f * b(x);
  const Halide::Expr before = clamp(x - 1, 0, 7);
  mixed(x) = a(before) + twice(before);
  mixed.bound(x, 0, 9);
  EXPECT_EQ(DagText(Pipeline(mixed)),
            "a[8] input f32\n"
            "b[8] input f32\n"
            "twice[x:8] f32 (float_mul:1) b[x]\n"
            "mixed[x:9] f32 output (float_add:1) a[clamp(x-1)]"
            " twice[clamp(x-1)]\n");
}

TEST(AnalyzeTest, ConvolutionWithPaddingAndPackedWeights) {
  ImageParam input(Float(32), 3, "input"), weights(Float(32), 5, "weights");
  SetSizes(input, {3, 8, 8});
  SetSizes(weights, {16, 3, 3, 3, 2});
  Var c("c"), x("x"), y("y");
  RDom r(0, 3, 0, 3, 0, 3, "r");
  Func pad("pad"), conv("conv"), out("out");
  pad(c, x, y) = Halide::select(x >= 0 && x < 8 && y >= 0 && y < 8,
                                input(c, clamp(x, 0, 7), clamp(y, 0, 7)), 0.0f);
  conv(c, x, y) += pad(r.x, 2 * x + r.y - 1, 2 * y + r.z - 1) *
                   weights(c % 16, r.x, r.y, r.z, c / 16);
  out(c, x, y) = Halide::max(conv(c, x, y), 0.0f);
  out.bound(c, 0, 32).bound(x, 0, 4).bound(y, 0, 4);
  const absl::StatusOr<AnalyzedPipeline> analyzed =
      AnalyzePipeline(Pipeline(out));
  ASSERT_TRUE(analyzed.ok()) << analyzed.status();
  EXPECT_EQ(
      analyzed->dag.ToString(),
      "weights[2,3,3,3,16] input f32\n"
      "input[8,8,3] input f32\n"
      "pad[y:9,x:9,c:3] f32 (int_compare:4 boolean:3 select:1) "
      "input[clamp(y-1),clamp(x-1),c]\n"
      "conv[y:4,x:4,c:32,rz:r3,ry:r3,rx:r3] f32 sum (float_add:1 float_mul:1)"
      " pad[2*y+rz,2*x+ry,rx] weights[(c)/16,rz,ry,rx,(c)%16]\n"
      "out[y:4,x:4,c:32] f32 output (float_compare:1) conv[y,x,c]\n");
  EXPECT_EQ(analyzed->bindings[3].func, "conv");
  EXPECT_EQ(analyzed->bindings[3].update, 0);
  EXPECT_EQ(analyzed->bindings[4].update, -1);
  EXPECT_EQ(analyzed->bindings[4].variables,
            (std::vector<std::string>{"y", "x", "c"}));
}

TEST(AnalyzeTest, SurvivesSerialization) {
  ImageParam a(Float(32), 2, "a");
  SetSizes(a, {16, 4});
  Var i("i"), j("j");
  RDom k(0, 16, "k");
  Func product("product"), out("out");
  product(j, i) += a(k, i) * a(k, j);
  out(j, i) = product(j, i);
  out.bound(i, 0, 4).bound(j, 0, 4);
  const Pipeline pipeline(out);
  std::vector<uint8_t> bytes;
  Halide::serialize_pipeline(pipeline, bytes);
  EXPECT_EQ(DagText(Halide::deserialize_pipeline(bytes, {})),
            DagText(pipeline));
}

// However they came to be: what is read from a file shares nothing.
TEST(AnalyzeTest, EqualExpressionsCountOnce) {
  Var x("x");
  Func shared = NamedFunc("out"), apart = NamedFunc("out");
  const Expr lane = x % 4;
  shared(x) = select(lane == 0, 1.0f, select(lane == 1, 2.0f, 3.0f));
  apart(x) = select(x % 4 == 0, 1.0f, select(x % 4 == 1, 2.0f, 3.0f));
  std::vector<uint8_t> bytes;
  Halide::serialize_pipeline(shared.bound(x, 0, 8), bytes);
  for (const Pipeline& pipeline :
       {Pipeline(shared), Pipeline(apart.bound(x, 0, 8)),
        Halide::deserialize_pipeline(bytes, {})}) {
    EXPECT_EQ(DagText(pipeline),
              "out[x:8] f32 output (int_div:1 int_compare:2 select:2)\n");
  }
}

TEST(AnalyzeTest, ReadsOfTheInitializationAreMarked) {
  ImageParam a(Float(32), 2, "a"), bias(Float(32), 1, "bias");
  SetSizes(a, {16, 4});
  SetSizes(bias, {4});
  Var y("y");
  RDom r(0, 16, "r");
  Func sums("sums");
  sums(y) = bias(y);
  sums(y) += a(r, y);
  sums.bound(y, 0, 4);
  EXPECT_EQ(DagText(Pipeline(sums)),
            "bias[4] input f32\n"
            "a[4,16] input f32\n"
            "sums[y:4,rx:r16] f32 output sum (float_add:1) init:bias[y] "
            "a[y,rx]\n");
}

TEST(AnalyzeTest, TuplesAreTuned) {
  ImageParam a(Float(32), 2, "a");
  SetSizes(a, {16, 4});
  Var y("y");
  RDom r(0, 16, "r");
  Func both("both"), out("out");
  both(y) = Halide::Tuple(0.0f, 1.0f);
  both(y) = Halide::Tuple(both(y)[0] + a(r, y), both(y)[1] * a(r, y));
  out(y) = both(y)[0] + both(y)[1];
  out.bound(y, 0, 4);
  const absl::StatusOr<AnalyzedPipeline> analyzed =
      AnalyzePipeline(Pipeline(out));
  ASSERT_TRUE(analyzed.ok()) << analyzed.status();
  EXPECT_FALSE(analyzed->dag.stage(1).opaque);
  EXPECT_EQ(Notes(*analyzed), "");
}

TEST(AnalyzeTest, MissingSizesAreNamed) {
  Var x("x"), y("y");
  Func f("f");
  f(x, y) = x + y;
  f.bound(x, 0, 8);
  EXPECT_EQ(DagText(Pipeline(f)),
            "the size of output 'f' in dimension 1 ('y') is not known: give it "
            "an estimate or "
            "bounds");
}

TEST(AnalyzeTest, UnboundedReadsAreNamed) {
  ImageParam index(Halide::Int(32), 1, "index");
  SetSizes(index, {10});
  Var x("x");
  Func counts = NamedFunc("counts"), lookup = NamedFunc("lookup");
  counts(x) = 0;
  counts(x) += x;
  lookup(x) = counts(index(x));
  lookup.bound(x, 0, 10);
  EXPECT_EQ(DagText(Pipeline(lookup)),
            "'lookup' reads 'counts' in dimension 0 at an index without known "
            "bounds: clamp the index");
  Func table = NamedFunc("table");
  table(x) = index(index(x));
  table.bound(x, 0, 10);
  EXPECT_EQ(DagText(Pipeline(table)),
            "'table' reads 'index' in dimension 0 at an index without known "
            "bounds: clamp the index");
}

// What can be computed where it is read needs no bounds.
TEST(AnalyzeTest, FuncsThatAreReadWithoutBoundsAreComputedWhereTheyAreRead) {
  ImageParam index(Halide::Int(32), 1, "index"), a(Float(32), 1, "a");
  SetSizes(index, {10});
  SetSizes(a, {16});
  Var x("x");
  Func near = NamedFunc("near"), squares = NamedFunc("squares"),
       lookup = NamedFunc("lookup");
  near(x) = a(clamp(x, 0, 15));
  squares(x) = near(x) * near(x + 1);
  lookup(x) = squares(index(x));
  lookup.bound(x, 0, 10);
  const absl::StatusOr<AnalyzedPipeline> analyzed =
      AnalyzePipeline(Pipeline(lookup));
  ASSERT_TRUE(analyzed.ok()) << analyzed.status();
  EXPECT_EQ(analyzed->dag.ToString(),
            "a[16] input f32\n"
            "index[10] input i32\n"
            "lookup[x:10] f32 output (float_mul:1) a[?(x)] index[x] a[?(x)]\n");
  EXPECT_EQ(
      Notes(*analyzed),
      "'squares' is read at an index without known bounds and computed "
      "wherever it is read: clamp the index to have it tuned\n"
      "'near' is read at an index without known bounds and computed wherever "
      "it is read: clamp the index to have it tuned\n");
}

// Of these Halide may find that less is needed than indices say.
TEST(AnalyzeTest, ReadsInPartAreFound) {
  Var x("x"), y("y");
  const auto source = [&](const char* name) {
    Func f = NamedFunc(name);
    f(x, y) = Halide::cast<float>(x + y);
    return f;
  };
  Func plain = source("plain"), selected = source("selected"),
       gathered = source("gathered"), below = source("below"),
       out = NamedFunc("out");
  RDom r(0, 8, "r");
  r.where(r < 5);
  const auto value = Halide::cast<int>(Halide::clamp(plain(x, y), 0.0f, 7.0f));
  out(x, y) = Halide::select(y < 3, selected(x, y + 1), 0.0f) +
              gathered(value, y) + plain(x, y);
  out(x, y) += below(r, x);
  out.bound(x, 0, 8).bound(y, 0, 8);
  const AnalyzedPipeline analyzed = *AnalyzePipeline(Pipeline(out));
  std::map<std::string, std::vector<bool>> found;  // outermost first
  for (const Stage& stage : analyzed.dag.stages())
    found[stage.name] = stage.read_in_part;
  EXPECT_EQ(found.at("plain"), std::vector<bool>());
  EXPECT_EQ(found.at("selected"), std::vector<bool>({true, false}));
  EXPECT_EQ(found.at("gathered"), std::vector<bool>({false, true}));
  EXPECT_EQ(found.at("below"), std::vector<bool>({false, true}));
}

// By axis, the last dimension first: vectors that choose by where they are
// begin where they would; pixels beyond y's end there are none.
TEST(AnalyzeTest, ExtensibleAxesAreFound) {
  ImageParam in(Float(32), 2, "in");
  in.set_estimates({{0, 64}, {0, 32}});
  Var x("x"), y("y");
  Func rows("rows"), mixed("mixed"), out("out");
  const Expr clamped = clamp(x, 0, in.width() - 1);
  rows(x, y) = in(clamped, y) * 2.0f;
  mixed(x, y) = select(x % 2 == 0, rows(x / 2, 0), rows(x, 1));
  out(x, y) = rows(x, y) + rows(x + 1, y) + mixed(x, y) + mixed(x + 1, y);
  out.set_estimates({{0, 64}, {0, 32}});
  const auto analyzed = AnalyzePipeline(Pipeline(out), Sizes::kEstimates);
  ASSERT_TRUE(analyzed.ok()) << analyzed.status();
  std::map<std::string, std::vector<bool>> extensible;
  for (const FuncBinding& binding : analyzed->bindings)
    extensible[binding.func] = binding.extensible;
  EXPECT_EQ(extensible[rows.name()], (std::vector<bool>{false, true}));
  EXPECT_EQ(extensible[mixed.name()], (std::vector<bool>{true, false}));
  EXPECT_EQ(extensible[out.name()], (std::vector<bool>{false, false}));
}

// Axes that choose between constants, and nothing else, are known as such.
TEST(AnalyzeTest, SelectingAxesAreFound) {
  const auto selecting = [](const Pipeline& pipeline, int stage) {
    const AnalyzedPipeline analyzed = *AnalyzePipeline(pipeline);
    std::string names;
    for (const Axis& axis : analyzed.dag.stage(stage).axes) {
      if (axis.selects) names += axis.name;
    }
    return names;
  };
  const Pipeline winograd = WinogradProductPipeline(3, 8, 16);
  EXPECT_EQ(selecting(winograd, 2), "i");
  EXPECT_EQ(selecting(winograd, 3), "p");
  EXPECT_EQ(selecting(winograd, 4), "");
  EXPECT_EQ(selecting(winograd, 5), "");

  Halide::ImageParam in(Halide::Float(32), 2, "in");
  in.dim(0).set_bounds(0, 70);
  in.dim(1).set_bounds(0, 70);
  Var x("x"), y("y");
  const auto stage = [&](const Expr& value, int height) {
    Func f = NamedFunc("f");
    f(x, y) = value;
    f.bound(x, 0, 70).bound(y, 0, height);
    return selecting(Pipeline(f), 1);
  };
  const Expr one = 1.0f, two = 2.0f;
  EXPECT_EQ(stage(in(x, y) * select(y < 3, one, two), 8), "y");
  EXPECT_EQ(stage(in(x, y) * select(y < 3, one, two), 70), "");
  EXPECT_EQ(stage(in(x, y) * select(x < 3, one, two), 8), "");
  EXPECT_EQ(stage(in(x, y) * select(y % 2 == 0, one, two), 8), "");
  EXPECT_EQ(stage(select(y < 3, in(x, y), two), 8), "");
  EXPECT_EQ(stage(in(x, y) * select(in(y, y) < 3, one, two), 8), "");
}

}  // namespace
}  // namespace pruner
