// Schedules for targets with threads, as sketches and the sampler make them:
// run on OpenCL, where there is a driver for it.
#include <vector>

#include "Halide.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/fixed_names.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/tests/checked_kernels.h"
#include "pruner/target/device_available.h"
#include "pruner/target/required_part.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

class ThreadSchedulesTest : public ::testing::Test {
 protected:
  void SetUp() override { EndsWithout("opencl", DeviceAvailable(target_)); }

  const TargetSpec target_ = SampleOpenClTarget();
};

TEST_F(ThreadSchedulesTest, Products) {
  CheckSamples(MatmulReluPipeline(64, 96, 32), 4, target_);
}

TEST_F(ThreadSchedulesTest, ProductsThatAreOutputs) {
  CheckSamples(SumPipeline(64, 96, 32), 4, target_);
  CheckSamples(SumPipeline(37, 55, 21), 2, target_);
}

TEST_F(ThreadSchedulesTest, Convolutions) {
  CheckSamples(
      ConvBiasReluPipeline({.size = 14, .in_channels = 8, .out_channels = 32}),
      2, target_);
  CheckSamples(
      ConvBiasReluPipeline(
          {.size = 15, .in_channels = 3, .out_channels = 32, .stride = 2}),
      2, target_);
}

TEST_F(ThreadSchedulesTest, TransformsInRegisters) {
  CheckSamples(WinogradProductPipeline(4, 16, 32), 4, target_);
}

TEST_F(ThreadSchedulesTest, LongReductions) {
  CheckSamples(NormPipeline(3, 10, 64), 4, target_);
}

// out(c, x) = the largest of 3 x `input`, which is not padded, and one plus
// that at another place.
Halide::Pipeline PoolPipeline(int size, int channels) {
  Halide::ImageParam input = DenseInput("input", {channels, 2 * size + 1});
  Halide::Var c("c"), x("x");
  Halide::RDom r(0, 3, "r");
  Halide::Func pool("pool"), out("out");
  pool(c, x) = -1000.0f;
  pool(c, x) = Halide::max(pool(c, x), 3.0f * input(c, 2 * x + r));
  out(c, x) = pool(c, x) + pool((c + 1) % channels, x);
  out.set_estimates({{0, channels}, {0, size}});
  out.bound(c, 0, channels).bound(x, 0, size);
  return Halide::Pipeline(out);
}

TEST_F(ThreadSchedulesTest, StagesWithoutTiles) {
  CheckSamples(PoolPipeline(19, 64), 4, target_);  // vectors of 1, 2, 4
  CheckSamples(PoolPipeline(19, 6), 2, target_);   // of 1 and 2
  CheckSamples(PoolPipeline(19, 7), 2, target_);   // none
  CheckSamples(PoolPipeline(1, 4), 2, target_);    // one for all
}

// Most of the tiles drawn do not divide: the last blocks are moved inwards.
TEST_F(ThreadSchedulesTest, OddExtents) {
  CheckSamples(MatmulReluPipeline(37, 55, 21), 4, target_);
  CheckSamples(MatmulReluPipeline(197, 149, 16), 4, target_);
}

TEST_F(ThreadSchedulesTest, ConvolutionsOfOddExtents) {
  CheckSamples(
      ConvBiasReluPipeline({.size = 7, .in_channels = 8, .out_channels = 32}),
      4, target_);
  CheckSamples(
      ConvBiasReluPipeline(
          {.size = 26, .in_channels = 3, .out_channels = 16, .stride = 2}),
      4, target_);
}

}  // namespace
}  // namespace pruner
