#include "halide_ext/plugin/plugin_target.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

TargetSpec SpecOf(const char* target, int parallelism) {
  const absl::StatusOr<TargetSpec> spec =
      PluginTarget(Halide::Target(target), parallelism);
  EXPECT_TRUE(spec.ok()) << spec.status();
  return *spec;
}

TEST(PluginTargetTest, RegistersAreThoseOfTheTargetsFeatures) {
  EXPECT_EQ(SpecOf("x86-64-linux-sse41", 2).registers,
            (RegisterFile{.count = 16, .bytes = 16}));
  EXPECT_EQ(SpecOf("x86-64-linux-avx-avx2-fma-f16c-sse41", 2).registers,
            (RegisterFile{.count = 16, .bytes = 32}));
  EXPECT_EQ(SpecOf("x86-64-linux-avx-avx2-fma-f16c-sse41-avx512-"
                   "avx512_skylake",
                   2)
                .registers,
            (RegisterFile{.count = 32, .bytes = 64}));
  EXPECT_EQ(SpecOf("arm-64-linux", 2).registers,
            (RegisterFile{.count = 32, .bytes = 16}));
}

TEST(PluginTargetTest, SpecsAreValid) {
  for (const char* target : {"host", "arm-64-android", "x86-64-windows-avx2",
                             "wasm-32-wasmrt-wasm_simd128"}) {
    for (const int parallelism : {0, 1, 48}) {
      const TargetSpec spec = SpecOf(target, parallelism);
      EXPECT_EQ(ValidateTargetSpec(spec, target), absl::OkStatus());
      if (parallelism > 0) {
        EXPECT_EQ(spec.units.cores, parallelism);
      }
    }
  }
}

TEST(PluginTargetTest, OtherMachinesHaveSixteenCores) {
  EXPECT_EQ(SpecOf("arm-64-android", 0).units.cores, 16);
}

TEST(PluginTargetTest, DevicesAreThoseOfTheComputeCapability) {
  EXPECT_EQ(SpecOf("host-cuda", 2).name, "a100");
  EXPECT_EQ(SpecOf("host-cuda-cuda_capability_75", 2).name, "t4");
  EXPECT_EQ(SpecOf("host-cuda-cuda_capability_35", 2).name, "k80");
  const TargetSpec spec = SpecOf("host-cuda-cuda_capability_70", 2);
  EXPECT_EQ(spec.name, "v100");
  EXPECT_EQ(spec.units.cores, 80);
  EXPECT_EQ(Halide::Target(spec.halide_target),
            Halide::Target("host-cuda-cuda_capability_70"));
  EXPECT_EQ(SpecOf("host-opencl", 2).backend, Backend::kOpenCl);
}

TEST(PluginTargetTest, PackagedDevicesAreForCodeForThem) {
  const Halide::Target cuda("host-cuda");
  const absl::StatusOr<TargetSpec> spec = PluginTargetFrom("h200", cuda, 2);
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->name, "h200");
  EXPECT_EQ(spec->units.cores, 132);
  for (const char* target : {"host", "host-opencl"}) {
    EXPECT_THAT(
        PluginTargetFrom("h200", Halide::Target(target), 2).status().message(),
        testing::StartsWith("h200 describes a machine for "));
  }
}

TEST(PluginTargetTest, WithoutPassesNeitherVirtualThreadsNorVectors) {
  for (const char* target : {"host-cuda", "host-opencl"}) {
    const TargetSpec spec = WithoutPasses(SpecOf(target, 2));
    EXPECT_EQ(spec.limits.vthreads, 1);
    EXPECT_EQ(spec.limits.vectorize_elements, 1);
    EXPECT_EQ(ValidateTargetSpec(spec, target), absl::OkStatus());
  }
}

TEST(PluginTargetTest, OtherDevicesAreRefused) {
  EXPECT_EQ(
      PluginTarget(Halide::Target("x86-64-linux-vulkan"), 2).status().code(),
      absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace pruner
