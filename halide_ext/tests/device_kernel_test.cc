// Kernels of devices: what they compute, what is copied, what is refused.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/tests/checked_kernels.h"
#include "halide_ext/tests/sample_kernels.h"
#include "pruner/base/rng.h"
#include "pruner/target/device_available.h"
#include "pruner/target/required_part.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr GemmTile kTile = {.threads = 4, .vthreads = 2, .inner = 4};
constexpr GemmOptions kGemm = {.rows = 64,
                               .columns = 96,
                               .depth = 32,
                               .row = kTile,
                               .column = kTile,
                               .vectorize = true};

class DeviceKernelTest : public ::testing::Test {
 protected:
  void SetUp() override { EndsWithout("opencl", DeviceAvailable(target_)); }

  Kernel Compile(const SampleKernel& sample) const {
    absl::StatusOr<Kernel> kernel =
        sample.pipeline.Compile(sample.schedule, target_);
    EXPECT_TRUE(kernel.ok()) << kernel.status();
    return *std::move(kernel);
  }

  void ExpectRight(const SampleKernel& sample) const {
    const auto expected =
        RunChecked(sample.pipeline, *sample.pipeline.CompileReference());
    const auto actual = RunChecked(sample.pipeline, Compile(sample));
    ASSERT_TRUE(actual.ok()) << actual.status();
    EXPECT_EQ(*actual, *expected);
  }

  const TargetSpec target_ = SampleOpenClTarget();
};

TEST_F(DeviceKernelTest, ComputesWhatTheReferenceDoes) {
  ExpectRight(GemmKernel(kGemm));
  ExpectRight(ConvKernel({.size = 15,
                          .in_channels = 16,
                          .out_channels = 32,
                          .channel = {.threads = 8, .vthreads = 1, .inner = 4},
                          .x = {.threads = 2, .vthreads = 2, .inner = 2},
                          .y = {.threads = 2, .vthreads = 1, .inner = 2}}));
}

// Whatever the tiles, how many loops over threads, with and without vectors,
// and where the last block of a dimension is not full. (Vectors of three Halide
// writes as four.)
TEST_F(DeviceKernelTest, RandomTilesAreRightAndInRegisters) {
  Rng rng(1);
  const auto tile = [&rng](int most_threads) {
    return GemmTile{.threads = static_cast<int>(rng.Uniform(1, most_threads)),
                    .vthreads = static_cast<int>(rng.Uniform(1, 3)),
                    .inner = 1 << rng.Uniform(0, 2)};
  };
  for (int i = 0; i < 6; ++i) {
    const ConvOptions options = {.size = static_cast<int>(rng.Uniform(36, 40)),
                                 .in_channels = 8,
                                 .out_channels = 96,
                                 .channel = tile(8),
                                 .x = tile(3),
                                 .y = tile(3),
                                 .channel_tile = 4,
                                 .unrolled_channels = 1 << rng.Uniform(0, 2),
                                 .kernel_rows_outside = rng.Chance(0.5),
                                 .fused_threads = rng.Chance(0.5),
                                 .vectorize = rng.Chance(0.5),
                                 .vectorize_output = rng.Chance(0.5)};
    SCOPED_TRACE(i);
    const SampleKernel sample = ConvKernel(options);
    ExpectRight(sample);
    EXPECT_THAT(Compile(sample).promotions().refusals, IsEmpty());
  }
}

TEST_F(DeviceKernelTest, DescribesItself) {
  const Kernel kernel = Compile(GemmKernel(kGemm));
  EXPECT_THAT(kernel.promotions().refusals, IsEmpty());
  ASSERT_THAT(kernel.promotions().promotions, SizeIs(1));
  EXPECT_EQ(kernel.promotions().promotions[0].elements, 64);
  ASSERT_THAT(kernel.shapes(), SizeIs(1));
  const KernelShape& shape = kernel.shapes()[0];
  EXPECT_EQ(shape.blocks.x, 3);
  EXPECT_EQ(shape.blocks.y, 2);
  EXPECT_EQ(shape.threads.x, 4);
  EXPECT_EQ(shape.threads.y, 4);
  EXPECT_EQ(shape.threads.Product(), 16);
  EXPECT_EQ(shape.shared_bytes, 2 * 32 * 16 * 4);
}

// A kernel's tensors, all filled with one value.
struct Tensors {
  Tensors(const WorkloadPipeline& pipeline, float value) {
    for (const KernelArgument& argument : pipeline.arguments()) {
      hosts.emplace_back(argument.NumElements() + 16, value);
      auto address = reinterpret_cast<uintptr_t>(hosts.back().data());
      address = (address + 63) / 64 * 64;
      tensors.push_back(std::make_unique<KernelTensor>(
          argument, reinterpret_cast<void*>(address)));
      pointers.push_back(tensors.back().get());
    }
  }
  float& First(int i) { return *static_cast<float*>(pointers[i]->host()); }

  std::vector<std::vector<float>> hosts;
  std::vector<std::unique_ptr<KernelTensor>> tensors;
  std::vector<KernelTensor*> pointers;
};

TEST_F(DeviceKernelTest, CopiesOnlyWhatItIsTold) {
  const SampleKernel sample = GemmKernel(kGemm);
  const Kernel kernel = Compile(sample);
  Tensors tensors(sample.pipeline, 1);
  float& input = tensors.First(0);
  float& output = tensors.First(2);
  ASSERT_TRUE(kernel.Run(tensors.pointers).ok());
  EXPECT_EQ(output, 1);
  ASSERT_TRUE(tensors.pointers[2]->ReadToHost().ok());
  EXPECT_EQ(output, 32);

  input = 11;
  ASSERT_TRUE(kernel.Run(tensors.pointers).ok());
  ASSERT_TRUE(tensors.pointers[2]->ReadToHost().ok());
  EXPECT_EQ(output, 32) << "the device has its own copy of the input";
  tensors.pointers[0]->LoadFromHost();
  ASSERT_TRUE(kernel.Run(tensors.pointers).ok());
  ASSERT_TRUE(tensors.pointers[2]->ReadToHost().ok());
  EXPECT_EQ(output, 42);
}

TEST_F(DeviceKernelTest, TakesTime) {
  const SampleKernel sample = GemmKernel(kGemm);
  const Kernel kernel = Compile(sample);
  Tensors tensors(sample.pipeline, 1);
  const absl::StatusOr<double> seconds = kernel.Time(tensors.pointers, 3);
  ASSERT_TRUE(seconds.ok()) << seconds.status();
  EXPECT_GT(*seconds, 0);
  EXPECT_LT(*seconds, 10);
}

TEST(DeviceLimitsTest, KernelsThatTheTargetCannotStartAreRefused) {
  const SampleKernel sample = GemmKernel(kGemm);
  TargetSpec target = SampleGpuTarget();
  target.limits.shared_bytes_per_block = 4095;
  EXPECT_THAT(
      std::string(
          sample.pipeline.Compile(sample.schedule, target).status().message()),
      HasSubstr("has 4096 bytes of shared memory, more than the 4095 that the "
                "target allows"));
  target = SampleGpuTarget();
  target.limits.threads_per_block = 15;
  EXPECT_THAT(
      std::string(
          sample.pipeline.Compile(sample.schedule, target).status().message()),
      HasSubstr("has 16 threads in a block"));
}

TEST(DeviceLimitsTest, WithoutADriverRunningIsAnError) {
  const TargetSpec target = SampleGpuTarget();
  if (DeviceAvailable(target).ok()) GTEST_SKIP() << "there is a CUDA device";
  const SampleKernel sample = GemmKernel(kGemm);
  const absl::StatusOr<Kernel> kernel =
      sample.pipeline.Compile(sample.schedule, target);
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  const absl::Status status = RunChecked(sample.pipeline, *kernel).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("programs for target \"a100\" cannot run on this "
                        "machine: the driver library libcuda.so.1"));
}

}  // namespace
}  // namespace pruner
