#include "pruner/target/target_spec.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/target/target.pb.h"

namespace pruner {
namespace {

constexpr int64_t kKiB = 1024;
constexpr int64_t kMiB = 1048576;

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr absl::string_view kText =
    R"txt(name: "toy"
backend: CUDA
halide_target: "host-cuda-cuda_capability_80"
registers {
  count: 65536
  bytes: 4
}
l1 {
  size_bytes: 167936
  gb_per_s: 180.5
  line_bytes: 128
}
l2 {
  size_bytes: 388361
  gb_per_s: 40
  line_bytes: 64
}
llc {
  size_bytes: 41943040
  gb_per_s: 4320
  line_bytes: 32
}
units {
  cores: 108
  simd_lanes: 32
  fma_pipes: 2
  sub_partitions: 4
}
peaks {
  fp32_gflops_per_core: 180.1
  fp32_gflops: 19490
  dram_gb_per_s: 1935
}
limits {
  threads_per_block: 1024
  shared_bytes_per_block: 49152
  registers_per_thread: 255
  vthreads: 8
  unrolled_statements: 2048
  vectorize_elements: 4
  innermost_split_factor: 64
  program_statements: 4096
  statements_per_stage: 512
  unsized_stages: 6
}
tiling {
  structure: "SSSRRSRS"
  bindings: [BLOCK, VTHREAD, THREAD, SERIAL, SERIAL, REGISTER, SERIAL, REGISTER]
  fusion_levels: [3]
  auto_unroll_steps: [0, 16, 64, 512, 1024]
}
cheap_shared_writes: true
)txt";

std::string ErrorOf(absl::string_view text) {
  return std::string(ParseTargetSpec(text, "toy.txtpb").status().message());
}

// The error of kText after a replacement that must find something to replace.
std::string ErrorWith(absl::string_view from, absl::string_view to) {
  const std::string text = absl::StrReplaceAll(kText, {{from, to}});
  EXPECT_NE(text, kText) << from;
  return ErrorOf(text);
}

TargetSpec Toy() { return ParseTargetSpec(kText, "toy.txtpb").value(); }

TEST(TargetSpecTest, ParsesEveryField) {
  const TargetSpec spec = Toy();
  EXPECT_EQ(spec.name, "toy");
  EXPECT_EQ(spec.backend, Backend::kCuda);
  EXPECT_EQ(spec.registers.size_bytes(), 256 * kKiB);
  EXPECT_EQ(spec.l1.gb_per_s, 180.5);
  EXPECT_EQ(spec.l2.line_bytes, 64);
  EXPECT_EQ(spec.llc.size_bytes, 40 * kMiB);
  EXPECT_EQ(spec.units.sub_partitions, 4);
  EXPECT_EQ(spec.peaks.dram_gb_per_s, 1935);
  EXPECT_EQ(spec.limits.vectorize_elements, 4);
  EXPECT_EQ(spec.tiling.levels[3].axis, TileAxis::kReduction);
  EXPECT_EQ(spec.tiling.levels[7].binding, Binding::kRegister);
  EXPECT_EQ(spec.tiling.auto_unroll_steps.back(), 1024);
  EXPECT_TRUE(spec.cheap_shared_writes);
}

TEST(TargetSpecTest, TextRoundTrips) {
  EXPECT_EQ(TargetSpecToText(Toy()), kText);
}

TEST(TargetSpecTest, FractionsRoundTripExactly) {
  TargetSpec spec = Toy();
  spec.peaks.fp32_gflops = 0.1 + 0.2;
  spec.l1.gb_per_s = 1.0 / 3;
  EXPECT_EQ(ParseTargetSpec(TargetSpecToText(spec), "toy").value(), spec);
}

TEST(TargetSpecTest, ProtoRoundTrips) {
  EXPECT_EQ(TargetSpecFromProto(TargetSpecToProto(Toy()), "toy").value(),
            Toy());
}

TEST(TargetSpecTest, KnowsWhatItsTileLevelsBindTo) {
  const TargetSpec spec = Toy();
  EXPECT_EQ(spec.TileStructure(), "SSSRRSRS");
  EXPECT_EQ(spec.TileLevelBoundTo(Binding::kBlock), 0);
  EXPECT_EQ(spec.TileLevelBoundTo(Binding::kThread), 2);
  EXPECT_TRUE(spec.HasThreads());
  EXPECT_EQ(spec.TileLevelBoundTo(Binding::kRegister), 5);
  EXPECT_EQ(spec.TileLevelBoundTo(Binding::kParallel), std::nullopt);
}

TEST(TargetSpecTest, UnknownFieldIsNamedWithItsPlace) {
  const std::string error = ErrorWith("cores: 108", "kores: 108");
  EXPECT_THAT(error, StartsWith("toy.txtpb:24:"));
  EXPECT_THAT(error, HasSubstr("\"kores\""));
}

TEST(TargetSpecTest, UnknownEnumeratorIsNamedWithItsField) {
  const std::string error = ErrorWith("CUDA", "METAL");
  EXPECT_THAT(error, StartsWith("toy.txtpb:"));
  EXPECT_THAT(error, HasSubstr("\"backend\""));
  EXPECT_THAT(error, HasSubstr("\"METAL\""));
}

TEST(TargetSpecTest, MissingFieldsAreNamed) {
  EXPECT_EQ(ErrorOf(""), "toy.txtpb: name is missing");
  EXPECT_EQ(ErrorWith("backend: CUDA", ""), "toy.txtpb: backend is missing");
  EXPECT_EQ(ErrorWith("cores: 108", ""), "toy.txtpb: units.cores is missing");
  EXPECT_EQ(ErrorWith("fusion_levels: [3]", ""),
            "toy.txtpb: tiling.fusion_levels is missing");
}

// Files of earlier versions do not have it.
TEST(TargetSpecTest, SharedWritesAreNotCheapUnlessItSaysSo) {
  const std::string text =
      absl::StrReplaceAll(kText, {{"cheap_shared_writes: true\n", ""}});
  EXPECT_FALSE(ParseTargetSpec(text, "toy").value().cheap_shared_writes);
}

TEST(TargetSpecTest, OutOfRangeValuesAreNamed) {
  EXPECT_EQ(ErrorWith("cores: 108", "cores: 0"),
            "toy.txtpb: units.cores = 0 is not in [1, 1048576]");
  EXPECT_EQ(ErrorWith("name: \"toy\"", "name: \"\""),
            "toy.txtpb: name is empty");
  EXPECT_THAT(ErrorWith("19490", "-1"),
              StartsWith("toy.txtpb: peaks.fp32_gflops = -1 is not in ["));
  EXPECT_THAT(ErrorWith("19490", "nan"),
              StartsWith("toy.txtpb: peaks.fp32_gflops = nan is not in ["));
  EXPECT_THAT(ErrorWith("19490", "inf"),
              StartsWith("toy.txtpb: peaks.fp32_gflops = inf is not in ["));
  EXPECT_THAT(ErrorWith("[0, 16", "[-1, 16"),
              StartsWith("toy.txtpb: tiling.auto_unroll_steps = -1 is not in"));
}

TEST(TargetSpecTest, TilingMustAgreeWithItself) {
  EXPECT_THAT(ErrorWith("SSSRRSRS", "SSSRRSR"),
              StartsWith("toy.txtpb: tiling.bindings has 8 entries"));
  EXPECT_THAT(ErrorWith("SSSRRSRS", "SSSRRSRT"),
              HasSubstr("only the letters S and R"));
  EXPECT_THAT(ErrorWith("SSSRRSRS", "RSSRRSRS"), HasSubstr("begin with S"));
  EXPECT_EQ(ErrorWith("[3]", "[5]"),
            "toy.txtpb: tiling.fusion_levels = 5 must be below 5, the number "
            "of spatial tile levels");
  EXPECT_EQ(ErrorWith("64, 512", "512, 64"),
            "toy.txtpb: tiling.auto_unroll_steps must be in ascending order");
}

TEST(TargetSpecTest, ValidatesStructs) {
  TargetSpec spec = Toy();
  EXPECT_EQ(ValidateTargetSpec(spec, "toy").message(), "");
  spec.peaks.dram_gb_per_s = std::numeric_limits<double>::infinity();
  EXPECT_THAT(std::string(ValidateTargetSpec(spec, "toy").message()),
              StartsWith("toy: peaks.dram_gb_per_s = inf"));
}

}  // namespace
}  // namespace pruner
