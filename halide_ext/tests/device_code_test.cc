// What ptxas says of CUDA kernels, for all architectures with a spec.
#include "halide_ext/build/device_code.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/build/pinned_ptxas.h"
#include "halide_ext/tests/sample_kernels.h"
#include "pruner/target/load_target_spec.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Device {
  std::string target;
  std::string architecture;
};

class DeviceCodeTest : public ::testing::TestWithParam<Device> {
 protected:
  DeviceCode Compile(const SampleKernel& sample) const {
    absl::StatusOr<DeviceCode> code =
        CompileDeviceCode(sample.pipeline, sample.schedule, target_);
    EXPECT_TRUE(code.ok()) << code.status();
    return *std::move(code);
  }

  void ExpectInRegisters(const SampleKernel& sample, int64_t elements,
                         int64_t registers) const {
    const DeviceCode code = Compile(sample);
    EXPECT_THAT(code.promotions.refusals, IsEmpty());
    ASSERT_THAT(code.promotions.promotions, SizeIs(1));
    EXPECT_EQ(code.promotions.promotions[0].elements, elements);
    EXPECT_FALSE(absl::StrContains(code.source, ".local"));
    EXPECT_THAT(code.source, HasSubstr("ld.shared.v4"));
    EXPECT_EQ(*CudaArchitecture(target_), GetParam().architecture);
    const auto kernels = AssessCuda(code, target_, PinnedPtxas());
    ASSERT_TRUE(kernels.ok()) << kernels.status();
    ASSERT_THAT(*kernels, SizeIs(1));
    const KernelResources& kernel = (*kernels)[0];
    EXPECT_TRUE(kernel.InRegisters()) << kernel.stack_bytes;
    EXPECT_EQ(kernel.spill_load_bytes, 0);
    EXPECT_GT(kernel.registers, elements);
    EXPECT_LE(kernel.registers, registers);
    EXPECT_EQ(kernel.shared_bytes, code.shapes[0].shared_bytes);
    EXPECT_GT(kernel.constant_bytes, 0);
  }

  const TargetSpec target_ = *LoadTargetSpec(GetParam().target);
};

TEST_P(DeviceCodeTest, GemmStaysInRegisters) {
  ExpectInRegisters(GemmKernel({}), 64, 128);
}

TEST_P(DeviceCodeTest, ConvolutionStaysInRegisters) {
  for (const bool fused_threads : {false, true}) {
    SCOPED_TRACE(fused_threads);
    ExpectInRegisters(
        ConvKernel({.channel = {.threads = 8, .vthreads = 2, .inner = 4},
                    .x = {.threads = 7, .vthreads = 2, .inner = 2},
                    .y = {.threads = 4, .vthreads = 2, .inner = 1},
                    .fused_threads = fused_threads}),
        64, 168);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceCodeTest,
                         ::testing::Values(Device{"v100", "sm_70"},
                                           Device{"t4", "sm_75"},
                                           Device{"a100", "sm_80"},
                                           Device{"orin", "sm_86"}),
                         [](const auto& info) { return info.param.target; });

// Halide knows no newer capability; the driver assembles the same code.
TEST(DeviceCodeForNewerDevicesTest, GemmStaysInRegisters) {
  const SampleKernel sample = GemmKernel({});
  const auto code = CompileDeviceCode(sample.pipeline, sample.schedule,
                                      *LoadTargetSpec("h100"));
  ASSERT_TRUE(code.ok()) << code.status();
  const auto kernels = PinnedPtxas().Assess(code->source, "sm_90");
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  EXPECT_TRUE((*kernels)[0].InRegisters());
  EXPECT_LE((*kernels)[0].registers, 128);
}

// 1024 threads leave 64 registers each; 16 accumulators and 16 products fit,
// 64 accumulators do not.
TEST(RegistersTest, ManyThreadsHaveFewRegisters) {
  const GemmTile tile = {.threads = 32, .vthreads = 2, .inner = 4};
  const SampleKernel sample = GemmKernel({.row = tile, .column = tile});
  const TargetSpec target = SampleGpuTarget();
  const auto code = CompileDeviceCode(sample.pipeline, sample.schedule, target);
  ASSERT_TRUE(code.ok()) << code.status();
  const auto kernels = AssessCuda(*code, target, PinnedPtxas());
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  EXPECT_LE((*kernels)[0].registers, 64);
  EXPECT_GT((*kernels)[0].spill_store_bytes, 0);
  EXPECT_FALSE((*kernels)[0].InRegisters());
}

TEST(DeviceCodeErrorsTest, SchedulesWithoutBlocksHaveNoDeviceCode) {
  const SampleKernel sample = GemmKernel({});
  EXPECT_THAT(
      std::string(CompileDeviceCode(
                      sample.pipeline,
                      [](Halide::Pipeline&) { return absl::OkStatus(); },
                      SampleGpuTarget())
                      .status()
                      .message()),
      HasSubstr("no loop is bound to blocks"));
}

TEST(DeviceCodeErrorsTest, OnlyCudaHasAnArchitecture) {
  EXPECT_THAT(
      std::string(CudaArchitecture(SampleOpenClTarget()).status().message()),
      HasSubstr("target \"sample-opencl\" is not for CUDA"));
}

TEST(DeviceCodeErrorsTest, OpenClIsSource) {
  const SampleKernel sample = GemmKernel({});
  const auto code =
      CompileDeviceCode(sample.pipeline, sample.schedule, SampleOpenClTarget());
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_THAT(code->source, HasSubstr("__kernel"));
}

}  // namespace
}  // namespace pruner
