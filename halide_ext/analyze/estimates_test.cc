// Sizes and numbers that definitions depend on, bounded or only estimated.
#include "Halide.h"
#include "absl/strings/str_join.h"
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
using Halide::RDom;
using Halide::Var;

TEST(EstimatesTest, SizesOfInputsAreNumbers) {
  ImageParam a(Float(32), 2, "a");
  SetSizes(a, {16, 4});
  Var x("x");
  RDom r(0, a.width(), "r");
  Func near = NamedFunc("near"), sums = NamedFunc("sums");
  near(x) = 2.0f * a(clamp(x, 0, a.width() - 1), 0);
  sums(x) += near(r) * a(clamp(x, a.dim(0).min(), a.dim(0).max()), 1);
  sums.bound(x, -1, 18);
  EXPECT_EQ(
      DagText(Pipeline(sums)),
      "a[4,16] input f32\n"
      "near[x:16] f32 (float_mul:1) a[0,clamp(x)]\n"
      "sums[x:18,rx:r16] f32 output sum (float_add:1 float_mul:1) near[rx]"
      " a[1,clamp(x-1)]\n");
}

TEST(EstimatesTest, DomainsOfReductionsThatAreNotKnownAreNamed) {
  ImageParam a(Float(32), 1, "a");
  SetSizes(a, {16});
  Halide::Param<int> n("n");
  Var x("x");
  RDom r(0, n, "r");
  Func sums = NamedFunc("sums");
  sums(x) += a(clamp(r, 0, 15));
  sums.bound(x, 0, 8);
  EXPECT_EQ(DagText(Pipeline(sums)),
            "the domain of the reduction variable 'r$x' of 'sums' is not "
            "known: give bounds or estimates to the inputs whose sizes are in "
            "it, or a range to the parameter");
  n.set_range(1, 12);
  const absl::StatusOr<AnalyzedPipeline> analyzed =
      AnalyzePipeline(Pipeline(sums));
  ASSERT_TRUE(analyzed.ok()) << analyzed.status();
  EXPECT_TRUE(analyzed->dag.stages().back().opaque);
  EXPECT_EQ(absl::StrJoin(analyzed->notes, "\n"),
            "the reduction domain of 'sums' is not constant: it is computed as "
            "written, in parallel and in vectors only along dimensions that "
            "are independent of each other; give the sizes that it depends on "
            "bounds to have it tuned");
}

TEST(EstimatesTest, EstimatedDomainsAreTakenForWhatTheyUsuallyAre) {
  ImageParam a(Float(32), 1, "a");
  a.dim(0).set_estimate(0, 64);
  Halide::Param<int> n("n");
  n.set_estimate(5);
  Var x("x");
  const RDom r(0, n, "r");
  Func sums = NamedFunc("sums");
  sums(x) += a(x + r);
  sums.set_estimate(x, 0, 60);
  const auto analyzed = [](const Func& func) {
    return *AnalyzePipeline(Pipeline(func), Sizes::kEstimates);
  };
  const Stage sum = analyzed(sums).dag.stages().back();
  EXPECT_FALSE(sum.opaque);
  EXPECT_EQ(sum.ReductionSize(), 5);
  // Another order would be another result.
  Func last = NamedFunc("last");
  last(x) = 0.0f;
  last(x) = last(x) * 0.5f + a(x + r);
  last.set_estimate(x, 0, 60);
  EXPECT_TRUE(analyzed(last).dag.stages().back().opaque);
}

// Of which one is not needed where a parameter is as estimated: it may have
// another value.
TEST(EstimatesTest, WhatAParameterChoosesFromIsRead) {
  Halide::Param<bool> sharpen("sharpen");
  sharpen.set_estimate(false);
  Halide::Param<int> shift("shift");
  shift.set_estimate(2);
  ImageParam in(Float(32), 1, "in"), other(Float(32), 1, "other");
  for (ImageParam* input : {&in, &other}) input->dim(0).set_estimate(0, 100);
  Var x("x");
  Func plain = NamedFunc("plain"), sharp = NamedFunc("sharp"),
       out = NamedFunc("out");
  plain(x) = in(x) + other(x);
  sharp(x) = in(x) * 2 - in(x + shift);
  out(x) = Halide::select(sharpen, sharp(x + shift), plain(x));
  out.set_estimate(x, 0, 50);
  EXPECT_EQ(DagText(Pipeline(out), Sizes::kEstimates),
            "in[100] input f32 opaque\n"
            "other[100] input f32 opaque\n"
            "sharp[x:50] f32 (float_add:1 float_mul:1) in[x+2] in[x+4]\n"
            "plain[x:50] f32 (float_add:1) in[x] other[x]\n"
            "out[x:50] f32 output (select:1) sharp[x] plain[x]\n");
}

// The same of a size that has bounds.
TEST(EstimatesTest, WhatASizeChoosesFromIsRead) {
  ImageParam in(Float(32), 1, "in");
  SetSizes(in, {16});
  Var x("x");
  Func small = NamedFunc("small"), large = NamedFunc("large"),
       out = NamedFunc("out");
  small(x) = in(x) + 1;
  large(x) = in(x) * 2;
  out(x) = Halide::select(in.width() > 8, large(x), small(x));
  out.bound(x, 0, 16);
  EXPECT_EQ(
      DagText(Pipeline(out)),
      "in[16] input f32\n"
      "large[x:16] f32 (float_mul:1) in[x]\n"
      "small[x:16] f32 (float_add:1) in[x]\n"
      "out[x:16] f32 output (int_compare:1 select:1) large[x] small[x]\n");
}

}  // namespace
}  // namespace pruner
