// Schedules for targets with threads, as sketches and the sampler make them:
// run on OpenCL, where there is a driver for it.
#include <vector>

#include "Halide.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/tests/checked_kernels.h"
#include "pruner/target/device_available.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

class ThreadSchedulesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (absl::Status status = DeviceAvailable(target_); !status.ok()) {
      GTEST_SKIP() << status.message()
                   << "; the Debian packages pocl-opencl-icd and "
                      "ocl-icd-libopencl1 bring one";
    }
  }

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

// Most of the tiles drawn do not divide: the last blocks are moved inwards.
TEST_F(ThreadSchedulesTest, OddExtents) {
  CheckSamples(MatmulReluPipeline(37, 55, 21), 4, target_);
  CheckSamples(MatmulReluPipeline(197, 149, 16), 4, target_);
}

TEST_F(ThreadSchedulesTest, ConvolutionsOfOddExtents) {
  CheckSamples(
      ConvBiasReluPipeline({.size = 7, .in_channels = 8, .out_channels = 32}),
      2, target_);
  CheckSamples(
      ConvBiasReluPipeline(
          {.size = 26, .in_channels = 8, .out_channels = 32, .stride = 2}),
      2, target_);
}

}  // namespace
}  // namespace pruner
