#include "halide_ext/plugin/cpu_target.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

TargetSpec SpecOf(const char* target, int parallelism) {
  const absl::StatusOr<TargetSpec> spec =
      CpuTargetOf(Halide::Target(target), parallelism);
  EXPECT_TRUE(spec.ok()) << spec.status();
  return *spec;
}

TEST(CpuTargetTest, RegistersAreThoseOfTheTargetsFeatures) {
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

TEST(CpuTargetTest, SpecsAreValid) {
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

TEST(CpuTargetTest, OtherMachinesHaveSixteenCores) {
  EXPECT_EQ(SpecOf("arm-64-android", 0).units.cores, 16);
}

TEST(CpuTargetTest, DevicesAreRefused) {
  EXPECT_EQ(CpuTargetOf(Halide::Target("host-cuda"), 2).status().code(),
            absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace pruner
