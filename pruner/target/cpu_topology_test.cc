#include "pruner/target/cpu_topology.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

constexpr int64_t kKiB = 1024;
constexpr int64_t kMiB = 1048576;

using ::testing::ElementsAre;

constexpr CpuCaches kFallback{.l1 = {.size_bytes = 1, .line_bytes = 2},
                              .l2 = {.size_bytes = 3, .line_bytes = 4},
                              .llc = {.size_bytes = 5, .line_bytes = 6}};

// A machine that consists of nothing but the files a test writes.
class CpuTopologyTest : public ::testing::Test {
 protected:
  const std::string& root() const { return directory_.path(); }

  void Write(absl::string_view path, absl::string_view contents) {
    const std::string file = absl::StrCat(root(), path);
    ASSERT_TRUE(MakeDirectories(DirectoryOf(file)).ok());
    ASSERT_TRUE(WriteFileAtomically(file, contents).ok());
  }

  void WriteSiblings(int cpu, absl::string_view siblings) {
    Write(absl::StrCat("/sys/devices/system/cpu/cpu", cpu,
                       "/topology/thread_siblings_list"),
          absl::StrCat(siblings, "\n"));
  }

  void WriteCache(int cpu, int index, int level, absl::string_view type,
                  absl::string_view size, absl::string_view shared) {
    const std::string directory = absl::StrCat("/sys/devices/system/cpu/cpu",
                                               cpu, "/cache/index", index, "/");
    Write(directory + "level", absl::StrCat(level, "\n"));
    Write(directory + "type", absl::StrCat(type, "\n"));
    Write(directory + "size", absl::StrCat(size, "\n"));
    Write(directory + "coherency_line_size", "64\n");
    Write(directory + "shared_cpu_list", absl::StrCat(shared, "\n"));
  }

 private:
  TempDirectory directory_ = TempDirectory::Create().value();
};

TEST_F(CpuTopologyTest, CountsCpusWhereNothingIsKnown) {
  EXPECT_THAT(UsableCores(root(), {0, 1, 5}), ElementsAre(0, 1, 5));
}

TEST_F(CpuTopologyTest, CountsThreadsOfOneCoreOnce) {
  WriteSiblings(0, "0,4");
  WriteSiblings(4, "0,4");
  WriteSiblings(1, "1,5");
  EXPECT_THAT(UsableCores(root(), {0, 1, 4}), ElementsAre(0, 1));
}

TEST_F(CpuTopologyTest, QuotaLimitsTheCores) {
  Write("/proc/self/cgroup", "0::/\n");
  Write("/sys/fs/cgroup/cpu.max", "250000 100000\n");
  EXPECT_THAT(UsableCores(root(), {0, 1, 2, 3}), ElementsAre(0, 1));
  EXPECT_THAT(UsableCores(root(), {0}), ElementsAre(0));
  Write("/sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_THAT(UsableCores(root(), {0, 1, 2, 3}), ElementsAre(0));
}

TEST_F(CpuTopologyTest, TakesTheTightestQuotaOnTheWayUp) {
  Write("/proc/self/cgroup", "0::/outer/middle/inner\n");
  Write("/sys/fs/cgroup/outer/cpu.max", "300000 100000\n");
  Write("/sys/fs/cgroup/outer/middle/cpu.max", "200000 100000\n");
  Write("/sys/fs/cgroup/outer/middle/inner/cpu.max", "max 100000\n");
  EXPECT_EQ(CgroupCpuQuota(root()), 2.0);
}

TEST_F(CpuTopologyTest, UnderstandsVersionOneGroups) {
  Write("/proc/self/cgroup", "5:memory:/a\n4:cpu,cpuacct:/a\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "150000\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(CgroupCpuQuota(root()), 1.5);
}

TEST_F(CpuTopologyTest, NoQuotaWithoutGroups) {
  EXPECT_EQ(CgroupCpuQuota(root()), std::nullopt);
}

TEST_F(CpuTopologyTest, CachesFallBack) {
  EXPECT_EQ(DetectCaches(root(), {0}, kFallback), kFallback);
}

TEST_F(CpuTopologyTest, ReadsCaches) {
  for (const int cpu : {0, 1, 2}) {
    WriteSiblings(cpu, absl::StrCat(cpu));
    WriteCache(cpu, 0, 1, "Data", "48K", absl::StrCat(cpu));
    WriteCache(cpu, 1, 1, "Instruction", "32K", absl::StrCat(cpu));
    WriteCache(cpu, 2, 2, "Unified", "1024K", absl::StrCat(cpu));
    WriteCache(cpu, 3, 3, "Unified", "32M", cpu < 2 ? "0-1" : "2-3");
  }
  const CpuCaches expected{.l1 = {.size_bytes = 48 * kKiB, .line_bytes = 64},
                           .l2 = {.size_bytes = 1 * kMiB, .line_bytes = 64},
                           .llc = {.size_bytes = 32 * kMiB, .line_bytes = 64}};
  EXPECT_EQ(DetectCaches(root(), {0, 1}, kFallback), expected);
  // CPU 2 has a last-level cache of its own.
  EXPECT_EQ(DetectCaches(root(), {0, 1, 2}, kFallback).llc.size_bytes,
            64 * kMiB);
}

TEST_F(CpuTopologyTest, SharesTheSecondLevelAmongCores) {
  for (const int cpu : {0, 2}) {
    WriteSiblings(cpu, absl::StrCat(cpu, "-", cpu + 1));
    WriteCache(cpu, 0, 1, "Data", "32K", absl::StrCat(cpu, "-", cpu + 1));
    WriteCache(cpu, 1, 2, "Unified", "2M", "0-3");
  }
  const CpuCaches caches = DetectCaches(root(), {0, 2}, kFallback);
  EXPECT_EQ(caches.l2.size_bytes, 1 * kMiB);
  EXPECT_EQ(caches.llc.size_bytes, 2 * kMiB);
}

TEST(SysconfCachesTest, HasSizesAndLines) {
  const CpuCaches caches = SysconfCaches();
  for (const CacheLevel& level : {caches.l1, caches.l2, caches.llc}) {
    EXPECT_GE(level.size_bytes, 1024);
    EXPECT_GE(level.line_bytes, 16);
  }
}

}  // namespace
}  // namespace pruner
