#include "pruner/target/host_spec.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

constexpr int64_t kKiB = 1024;
constexpr int64_t kMiB = 1048576;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

HostInfo Host() {
  return {.cpu_name = "AMD EPYC (TM) 9654 ",
          .halide_target = "x86-64-linux-avx-avx2-f16c-fma-sse41",
          .registers = {.count = 16, .bytes = 32},
          .cores = 2,
          .cpus = {0, 1},
          .caches = {.l1 = {.size_bytes = 32 * kKiB, .line_bytes = 64},
                     .l2 = {.size_bytes = 1 * kMiB, .line_bytes = 64},
                     .llc = {.size_bytes = 32 * kMiB, .line_bytes = 128}}};
}

MeasuredPeaks Peaks() {
  return {.fp32_gflops_per_core = 118.5,
          .fp32_gflops = 236,
          .fma_pipes = 2,
          .l1_gb_per_s = 300,
          .l2_gb_per_s = 100,
          .llc_gb_per_s = 90,
          .dram_gb_per_s = 30,
          .reliable = true};
}

TEST(MakeHostSpecTest, TakesOverWhatIsKnown) {
  const TargetSpec spec = MakeHostSpec(Host(), Peaks());
  EXPECT_EQ(ValidateTargetSpec(spec, "spec").message(), "");
  EXPECT_EQ(spec.name, "amd-epyc-tm-9654-2c");
  EXPECT_EQ(spec.backend, Backend::kHost);
  EXPECT_EQ(spec.halide_target, Host().halide_target);
  EXPECT_EQ(
      spec.units,
      (Units{
          .cores = 2, .simd_lanes = 8, .fma_pipes = 2, .sub_partitions = 1}));
  EXPECT_EQ(spec.llc,
            (MemoryLevel{
                .size_bytes = 32 * kMiB, .gb_per_s = 90, .line_bytes = 128}));
  EXPECT_EQ(spec.peaks.fp32_gflops, 236);
  EXPECT_EQ(spec.limits.registers_per_thread, 16);
  EXPECT_EQ(spec.limits.vectorize_elements, 32);
  EXPECT_FALSE(spec.cheap_shared_writes);
  HostInfo other = Host();
  other.cheap_shared_writes = true;
  EXPECT_TRUE(MakeHostSpec(other, Peaks()).cheap_shared_writes);
}

TEST(MakeHostSpecTest, TilesAsAnsorDoesOnCpus) {
  const TargetSpec spec = MakeHostSpec(Host(), Peaks());
  EXPECT_EQ(spec.TileStructure(), "SSRSRS");
  EXPECT_EQ(spec.TileLevelBoundTo(Binding::kParallel), 0);
  EXPECT_EQ(spec.TileLevelBoundTo(Binding::kRegister), 5);
  EXPECT_FALSE(spec.HasThreads());
  EXPECT_THAT(spec.tiling.fusion_levels, ElementsAre(1, 2));
  EXPECT_THAT(spec.tiling.auto_unroll_steps, ElementsAre(0, 16, 64, 512));
}

TEST(HostSpecFileTest, DependsOnWhatWasDetected) {
  const std::string file = HostSpecFile("/dir", Host());
  EXPECT_THAT(file, StartsWith("/dir/host-amd-epyc-tm-9654-"));
  HostInfo other = Host();
  other.cores = 1;
  EXPECT_NE(HostSpecFile("/dir", other), file);
  other = Host();
  other.halide_target += "-avx512";
  EXPECT_NE(HostSpecFile("/dir", other), file);
  other = Host();
  other.caches.llc.size_bytes *= 2;
  EXPECT_NE(HostSpecFile("/dir", other), file);
}

class HostTargetSpecTest : public ::testing::Test {
 protected:
  // Asks for the spec; the i-th measurement finds i GB/s of DRAM.
  TargetSpec Get(const std::string& directory, bool measure_again = false) {
    return HostTargetSpec(
               {.cache_directory = directory,
                .measure_again = measure_again,
                .note =
                    [&](absl::string_view text) { notes_.emplace_back(text); },
                .measure =
                    [&](const HostInfo&) {
                      MeasuredPeaks peaks = Peaks();
                      peaks.dram_gb_per_s = ++measurements_;
                      peaks.reliable = reliable_;
                      return peaks;
                    }})
        .value();
  }

  std::string File() const { return HostSpecFile(directory(), DetectHost()); }

  // A directory that is not there yet.
  std::string directory() const { return temporary_.File("a/b"); }

  int measurements_ = 0;
  bool reliable_ = true;
  std::vector<std::string> notes_;

 private:
  TempDirectory temporary_ = TempDirectory::Create().value();
};

TEST_F(HostTargetSpecTest, MeasuresOnce) {
  const TargetSpec first = Get(directory());
  EXPECT_THAT(notes_, ElementsAre(HasSubstr(File())));
  notes_.clear();
  EXPECT_EQ(Get(directory()), first);
  EXPECT_EQ(measurements_, 1);
  EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(HostTargetSpecTest, MeasuresAgainOnDemand) {
  Get(directory());
  EXPECT_EQ(Get(directory(), /*measure_again=*/true).peaks.dram_gb_per_s, 2);
  EXPECT_EQ(Get(directory()).peaks.dram_gb_per_s, 2);
}

TEST_F(HostTargetSpecTest, CorruptedFilesAreMeasuredAgain) {
  Get(directory());
  const std::string text = ReadFile(File()).value();
  const std::string no_dram = text.substr(0, text.find("  dram_gb_per_s"));
  for (const std::string& broken :
       {std::string("gar\1bage"), std::string(),
        text.substr(0, text.size() / 2), no_dram + "}\n"}) {
    ASSERT_TRUE(WriteFileAtomically(File(), broken).ok());
    notes_.clear();
    measurements_ = 6;
    EXPECT_EQ(Get(directory()).peaks.dram_gb_per_s, 7);
    EXPECT_THAT(notes_, ElementsAre(HasSubstr(File())));
    EXPECT_EQ(Get(directory()).peaks.dram_gb_per_s, 7);
  }
}

TEST_F(HostTargetSpecTest, KeepsNothingOfABusyMachine) {
  reliable_ = false;
  EXPECT_EQ(Get(directory()).peaks.dram_gb_per_s, 1);
  EXPECT_THAT(notes_.back(), HasSubstr("busy"));
  EXPECT_FALSE(FileExists(File()));
  reliable_ = true;
  EXPECT_EQ(Get(directory()).peaks.dram_gb_per_s, 2);
  EXPECT_EQ(Get(directory()).peaks.dram_gb_per_s, 2);
}

TEST_F(HostTargetSpecTest, WorksWithoutACache) {
  Get("");
  EXPECT_EQ(Get("").peaks.dram_gb_per_s, 2);
}

TEST_F(HostTargetSpecTest, SaysWhenTheCacheCannotBeWritten) {
  // A file where a directory is needed fails for every user, even root.
  ASSERT_TRUE(MakeDirectories(directory()).ok());
  const std::string file = directory() + "/file";
  ASSERT_TRUE(WriteFileAtomically(file, "").ok());
  EXPECT_EQ(Get(file).peaks.dram_gb_per_s, 1);
  ASSERT_EQ(notes_.size(), 2);
  EXPECT_THAT(notes_.back(), StartsWith("the next run measures"));
}

TEST(DefaultCacheDirectoryTest, FollowsTheEnvironment) {
  SetEnv("HOME", "/home/somebody");
  SetEnv("XDG_CACHE_HOME", "/caches");
  EXPECT_EQ(DefaultCacheDirectory(), "/caches/pruner");
  UnsetEnv("XDG_CACHE_HOME");
  EXPECT_EQ(DefaultCacheDirectory(), "/home/somebody/.cache/pruner");
  UnsetEnv("HOME");
  EXPECT_EQ(DefaultCacheDirectory(), "");
}

}  // namespace
}  // namespace pruner
