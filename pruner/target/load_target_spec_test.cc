#include "pruner/target/load_target_spec.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/base/packaged_file.h"
#include "pruner/target/packaged_specs.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class PackagedSpecTest : public ::testing::TestWithParam<PackagedFile> {};

TEST_P(PackagedSpecTest, IsValidAndNamedAsItsFile) {
  const absl::StatusOr<TargetSpec> spec =
      LoadTargetSpec(std::string(GetParam().name));
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->name, GetParam().name);
  EXPECT_EQ(ParseTargetSpec(TargetSpecToText(*spec), "text").value(), *spec);
}

// The figures of a data sheet are related; a slip of the pen breaks the
// relation.
TEST_P(PackagedSpecTest, FiguresAgree) {
  const TargetSpec spec = LoadTargetSpec(std::string(GetParam().name)).value();
  const auto cores = static_cast<double>(spec.units.cores);
  EXPECT_NEAR(cores * spec.peaks.fp32_gflops_per_core, spec.peaks.fp32_gflops,
              0.01 * spec.peaks.fp32_gflops);
  EXPECT_NEAR(cores * spec.l2.size_bytes, spec.llc.size_bytes,
              0.01 * spec.llc.size_bytes);
  EXPECT_NEAR(cores * spec.l2.gb_per_s, spec.llc.gb_per_s,
              0.01 * spec.llc.gb_per_s);
  EXPECT_GT(spec.llc.gb_per_s, spec.peaks.dram_gb_per_s);
  EXPECT_LE(spec.limits.shared_bytes_per_block, spec.l1.size_bytes);
  EXPECT_TRUE(spec.TileLevelBoundTo(Binding::kBlock).has_value());
  EXPECT_TRUE(spec.HasThreads());
}

INSTANTIATE_TEST_SUITE_P(All, PackagedSpecTest,
                         ::testing::ValuesIn(PackagedSpecs().begin(),
                                             PackagedSpecs().end()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

// What Pruner's analytic model takes of a device (docs/algorithms.md B1).
struct DeviceFigures {
  std::string name;
  double fp32_gflops;
  double dram_gb_per_s;
  int64_t cores;
};

TEST(PackagedSpecTest, HasPrunersFigures) {
  for (const DeviceFigures& device : {
           DeviceFigures{"a100", 19490, 1935, 108},
           DeviceFigures{"h100", 66900, 3350, 132},
           DeviceFigures{"h200", 66900, 4800, 132},
           DeviceFigures{"k80", 8226, 480, 26},
           DeviceFigures{"orin", 2660, 204, 16},
           DeviceFigures{"t4", 8141, 320, 40},
           DeviceFigures{"titanv", 14900, 651, 80},
           DeviceFigures{"v100", 15700, 900, 80},
       }) {
    const TargetSpec spec = LoadTargetSpec(device.name).value();
    EXPECT_EQ(spec.peaks.fp32_gflops, device.fp32_gflops) << device.name;
    EXPECT_EQ(spec.peaks.dram_gb_per_s, device.dram_gb_per_s) << device.name;
    EXPECT_EQ(spec.units.cores, device.cores) << device.name;
  }
}

// All rates of a core are rates per clock at the same clock: shared memory
// gives 32 lanes 4 bytes each while a pipe does 32 multiply-adds.
TEST_P(PackagedSpecTest, RatesAreAtOneClock) {
  const TargetSpec spec = LoadTargetSpec(std::string(GetParam().name)).value();
  const auto flops_per_clock =
      static_cast<double>(2 * spec.units.simd_lanes * spec.units.fma_pipes);
  const double ghz = spec.peaks.fp32_gflops_per_core / flops_per_clock;
  EXPECT_NEAR(spec.l1.gb_per_s, ghz * 128, 0.01 * spec.l1.gb_per_s);
}

TEST(LoadTargetSpecTest, KnowsItsNames) {
  EXPECT_THAT(KnownTargets(), ElementsAre("host", "a100", "h100", "h200", "k80",
                                          "orin", "t4", "titanv", "v100"));
}

TEST(LoadTargetSpecTest, UnknownNamesListTheKnown) {
  const absl::Status status = LoadTargetSpec("z80").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(),
            "unknown target \"z80\": give the path of a .txtpb file or one of "
            "host, a100, h100, h200, k80, orin, t4, titanv, v100");
}

TEST(LoadTargetSpecTest, ReadsFiles) {
  const TempDirectory directory = TempDirectory::Create().value();
  const std::string path = directory.File("mine.txtpb");
  TargetSpec spec = LoadTargetSpec("t4").value();
  spec.name = "mine";
  ASSERT_TRUE(WriteFileAtomically(path, TargetSpecToText(spec)).ok());
  EXPECT_EQ(LoadTargetSpec(path).value(), spec);
  ASSERT_TRUE(WriteFileAtomically(path, "name: \"mine\"").ok());
  EXPECT_EQ(LoadTargetSpec(path).status().message(),
            path + ": backend is missing");
  ASSERT_TRUE(
      WriteFileAtomically(path, std::string(kMaxTargetSpecBytes + 1, ' '))
          .ok());
  EXPECT_THAT(std::string(LoadTargetSpec(path).status().message()),
              HasSubstr(path + ": it has more than 1048576 bytes"));
}

TEST(LoadTargetSpecTest, MissingFilesAreNamed) {
  EXPECT_THAT(std::string(LoadTargetSpec("no/such").status().message()),
              AllOf(StartsWith("cannot open"), HasSubstr("no/such")));
  EXPECT_THAT(std::string(LoadTargetSpec("none.txtpb").status().message()),
              HasSubstr("none.txtpb"));
}

TEST(LoadTargetSpecTest, HostIsMeasuredAsTold) {
  const HostSpecOptions options = {.cache_directory = "",
                                   .note = [](absl::string_view) {},
                                   .measure =
                                       [](const HostInfo&) {
                                         return MeasuredPeaks{
                                             .fp32_gflops_per_core = 1,
                                             .fp32_gflops = 2,
                                             .fma_pipes = 1,
                                             .l1_gb_per_s = 3,
                                             .l2_gb_per_s = 4,
                                             .llc_gb_per_s = 5,
                                             .dram_gb_per_s = 6,
                                             .reliable = true};
                                       }};
  EXPECT_EQ(LoadTargetSpec("host", options).value().peaks.dram_gb_per_s, 6);
}

}  // namespace
}  // namespace pruner
