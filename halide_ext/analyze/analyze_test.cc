#include "halide_ext/analyze/analyze.h"

#include <string>
#include <vector>

#include "Halide.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using Halide::clamp;
using Halide::Float;
using Halide::Func;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::RDom;
using Halide::Var;

void SetSizes(ImageParam& param, const std::vector<int>& sizes) {
  for (size_t d = 0; d < sizes.size(); ++d)
    param.dim(static_cast<int>(d)).set_bounds(0, sizes[d]);
}

std::string DagText(const Pipeline& pipeline) {
  const absl::StatusOr<AnalyzedPipeline> analyzed = AnalyzePipeline(pipeline);
  return analyzed.ok() ? analyzed->dag.ToString()
                       : std::string(analyzed.status().message());
}

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
            "a[8] input b4\n"
            "b[8] input b4\n"
            "twice[x:8] b4 ops(0,1,0,0,0,0,0) b[x]\n"
            "mixed[x:9] b4 output ops(1,0,0,0,0,3,0) a[clamp(x-1)]"
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
      "weights[2,3,3,3,16] input b4\n"
      "input[8,8,3] input b4\n"
      "pad[y:9,x:9,c:3] b4 ops(0,0,0,0,0,4,1) input[clamp(y-1),clamp(x-1),c]\n"
      "conv[y:4,x:4,c:32,rz:r3,ry:r3,rx:r3] b4 ops(1,1,0,0,0,0,0)"
      " pad[2*y+rz,2*x+ry,rx] weights[(c)/16,rz,ry,rx,(c)%16]\n"
      "out[y:4,x:4,c:32] b4 output ops(0,0,0,1,0,0,0) conv[y,x,c]\n");
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
            "bias[4] input b4\n"
            "a[4,16] input b4\n"
            "sums[y:4,rx:r16] b4 output ops(1,0,0,0,0,0,0) init:bias[y] "
            "a[y,rx]\n");
}

TEST(AnalyzeTest, GathersAreOpaqueAccesses) {
  ImageParam table(Float(32), 1, "table"), index(Halide::Int(32), 1, "index");
  SetSizes(table, {100});
  SetSizes(index, {10});
  Var x("x");
  Func gather("gather");
  gather(x) = table(clamp(index(x), 0, 99));
  gather.set_estimate(x, 0, 10);
  EXPECT_EQ(DagText(Pipeline(gather)),
            "table[100] input b4\n"
            "index[10] input b4\n"
            "gather[x:10] b4 output ops(0,0,0,0,0,0,0) table[?(x)] index[x]\n");
}

TEST(AnalyzeTest, SeveralUpdatesAreComputedAsWritten) {
  Var x("x");
  RDom r(0, 4, "r");
  Func histogram("histogram"), out("out");
  histogram(x) = 0.0f;
  histogram(r) += 1.0f;
  histogram(r) *= 2.0f;
  out(x) = histogram(x);
  out.bound(x, 0, 8);
  const absl::StatusOr<AnalyzedPipeline> analyzed =
      AnalyzePipeline(Pipeline(out));
  ASSERT_TRUE(analyzed.ok()) << analyzed.status();
  EXPECT_TRUE(analyzed->dag.stage(0).opaque);
  EXPECT_FALSE(analyzed->dag.stage(1).opaque);
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
  Func squares("squares"), lookup("lookup");
  squares(x) = x * x;
  lookup(x) = squares(index(x));
  lookup.bound(x, 0, 10);
  EXPECT_EQ(DagText(Pipeline(lookup)),
            "'lookup' reads 'squares' in dimension 0 at an index without known "
            "bounds: clamp the index");
}

}  // namespace
}  // namespace pruner
