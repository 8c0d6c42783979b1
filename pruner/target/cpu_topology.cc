#include "pruner/target/cpu_topology.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/log/check.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

constexpr int64_t kKiB = 1024;
constexpr int64_t kMiB = 1024 * kKiB;

// The content without surrounding blanks; empty if the file cannot be read.
std::string ReadTrimmed(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return "";
  return std::string(absl::StripAsciiWhitespace(*text));
}

std::string CpuDirectory(const std::string& root, int cpu) {
  return absl::StrCat(root, "/sys/devices/system/cpu/cpu", cpu);
}

// How many CPUs a list such as "0-3,8" names; at least 1.
int64_t CountCpus(absl::string_view list) {
  int64_t count = 0;
  for (absl::string_view range : absl::StrSplit(list, ',')) {
    const std::vector<std::string> ends = absl::StrSplit(range, '-');
    int64_t first = 0;
    int64_t last = 0;
    if (!absl::SimpleAtoi(ends.front(), &first)) continue;
    if (!absl::SimpleAtoi(ends.back(), &last)) continue;
    count += std::max<int64_t>(0, last - first + 1);
  }
  return std::max<int64_t>(1, count);
}

std::string ThreadSiblings(const std::string& root, int cpu) {
  return ReadTrimmed(
      absl::StrCat(CpuDirectory(root, cpu), "/topology/thread_siblings_list"));
}

// "32768K" in bytes; 0 if it is not such a size.
int64_t ParseSize(absl::string_view text) {
  int64_t unit = 1;
  if (absl::ConsumeSuffix(&text, "K")) unit = kKiB;
  if (absl::ConsumeSuffix(&text, "M")) unit = kMiB;
  if (absl::ConsumeSuffix(&text, "G")) unit = 1024 * kMiB;
  int64_t number = 0;
  return absl::SimpleAtoi(text, &number) ? number * unit : 0;
}

struct SysfsCache {
  int64_t level = 0;
  CacheLevel cache;
  std::string shared_cpus;
};

// The caches of a CPU that hold data, nearest first.
std::vector<SysfsCache> ReadCaches(const std::string& root, int cpu) {
  std::vector<SysfsCache> caches;
  for (int index = 0;; ++index) {
    const std::string directory =
        absl::StrCat(CpuDirectory(root, cpu), "/cache/index", index, "/");
    const std::string type = ReadTrimmed(directory + "type");
    if (type.empty()) break;
    if (type == "Instruction") continue;
    SysfsCache found;
    const bool whole =
        absl::SimpleAtoi(ReadTrimmed(directory + "level"), &found.level) &&
        absl::SimpleAtoi(ReadTrimmed(directory + "coherency_line_size"),
                         &found.cache.line_bytes);
    found.cache.size_bytes = ParseSize(ReadTrimmed(directory + "size"));
    found.shared_cpus = ReadTrimmed(directory + "shared_cpu_list");
    if (whole && found.cache.size_bytes > 0 && found.cache.line_bytes > 0) {
      caches.push_back(found);
    }
  }
  std::sort(caches.begin(), caches.end(),
            [](const SysfsCache& a, const SysfsCache& b) {
              return a.level < b.level;
            });
  return caches;
}

// How many separate caches of this level serve `cpus`.
int64_t CountInstances(const std::string& root, const std::vector<int>& cpus,
                       int64_t level) {
  std::set<std::string> instances;
  for (const int cpu : cpus) {
    for (const SysfsCache& found : ReadCaches(root, cpu)) {
      if (found.level == level) instances.insert(found.shared_cpus);
    }
  }
  return static_cast<int64_t>(instances.size());
}

// The CPUs that `quota` of every `period` microseconds are; nothing if
// unlimited.
std::optional<double> QuotaOf(absl::string_view quota,
                              absl::string_view period) {
  double quota_us = 0;
  double period_us = 0;
  if (!absl::SimpleAtod(quota, &quota_us) || quota_us <= 0) return std::nullopt;
  if (!absl::SimpleAtod(period, &period_us) || period_us <= 0) {
    return std::nullopt;
  }
  return quota_us / period_us;
}

// The quota set in one directory of the control group file system, of either
// version.
std::optional<double> DirectoryQuota(const std::string& directory) {
  const std::vector<std::string> max =
      absl::StrSplit(ReadTrimmed(directory + "/cpu.max"), ' ');
  if (max.size() == 2) return QuotaOf(max[0], max[1]);
  return QuotaOf(ReadTrimmed(directory + "/cpu.cfs_quota_us"),
                 ReadTrimmed(directory + "/cpu.cfs_period_us"));
}

// The mount point below /sys/fs/cgroup for a line's controllers ("" for version
// 2); nothing if the line has nothing to say about CPU time.
std::optional<std::string> MountPoint(absl::string_view controllers) {
  if (controllers.empty()) return "/sys/fs/cgroup";
  for (absl::string_view controller : absl::StrSplit(controllers, ',')) {
    if (controller == "cpu")
      return absl::StrCat("/sys/fs/cgroup/", controllers);
  }
  return std::nullopt;
}

}  // namespace

std::vector<int> UsableCores(const std::string& root,
                             const std::vector<int>& cpus) {
  CHECK(!cpus.empty());
  std::set<std::string> cores;
  std::vector<int> usable;
  for (const int cpu : cpus) {
    const std::string siblings = ThreadSiblings(root, cpu);
    const std::string core =
        siblings.empty() ? absl::StrCat("cpu", cpu) : siblings;
    if (cores.insert(core).second) usable.push_back(cpu);
  }
  const std::optional<double> quota = CgroupCpuQuota(root);
  if (quota.has_value() && *quota < static_cast<double>(usable.size())) {
    usable.resize(std::max<size_t>(1, static_cast<size_t>(*quota)));
  }
  return usable;
}

std::optional<double> CgroupCpuQuota(const std::string& root) {
  std::optional<double> tightest;
  const std::string groups = ReadTrimmed(root + "/proc/self/cgroup");
  for (absl::string_view line : absl::StrSplit(groups, '\n')) {
    // number:controllers:path
    const std::vector<std::string> parts =
        absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    const std::optional<std::string> mount = MountPoint(parts[1]);
    if (!mount.has_value()) continue;
    std::string path = parts[2] == "/" ? "" : parts[2];
    while (true) {
      const std::optional<double> quota =
          DirectoryQuota(absl::StrCat(root, *mount, path));
      if (quota.has_value() && quota < tightest.value_or(*quota + 1)) {
        tightest = quota;
      }
      if (path.empty()) break;
      path.resize(path.find_last_of('/') == std::string::npos
                      ? 0
                      : path.find_last_of('/'));
    }
  }
  return tightest;
}

CpuCaches DetectCaches(const std::string& root, const std::vector<int>& cpus,
                       const CpuCaches& fallback) {
  CHECK(!cpus.empty());
  const std::vector<SysfsCache> caches = ReadCaches(root, cpus.front());
  if (caches.empty()) return fallback;
  CpuCaches result = fallback;
  const int64_t threads_per_core =
      CountCpus(ThreadSiblings(root, cpus.front()));
  for (const SysfsCache& found : caches) {
    if (found.level == 1) result.l1 = found.cache;
    if (found.level == 2) {
      result.l2 = found.cache;
      result.l2.size_bytes /=
          std::max<int64_t>(1, CountCpus(found.shared_cpus) / threads_per_core);
    }
  }
  const SysfsCache& last = caches.back();
  result.llc = last.cache;
  result.llc.size_bytes *= CountInstances(root, cpus, last.level);
  return result;
}

CpuCaches SysconfCaches() {
  const auto value_or = [](int name, int64_t fallback) {
    const int64_t value = sysconf(name);
    return value > 0 ? value : fallback;
  };
  // Macros of glibc; musl has none of them and common sizes must do.
  CpuCaches caches{.l1 = {.size_bytes = 32 * kKiB, .line_bytes = 64},
                   .l2 = {.size_bytes = 512 * kKiB, .line_bytes = 64},
                   .llc = {.size_bytes = 8 * kMiB, .line_bytes = 64}};
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  caches.l1.size_bytes = value_or(_SC_LEVEL1_DCACHE_SIZE, caches.l1.size_bytes);
  caches.l1.line_bytes =
      value_or(_SC_LEVEL1_DCACHE_LINESIZE, caches.l1.line_bytes);
  caches.l2.size_bytes = value_or(_SC_LEVEL2_CACHE_SIZE, caches.l2.size_bytes);
  caches.l2.line_bytes =
      value_or(_SC_LEVEL2_CACHE_LINESIZE, caches.l2.line_bytes);
  caches.llc.size_bytes =
      value_or(_SC_LEVEL3_CACHE_SIZE, caches.llc.size_bytes);
  caches.llc.line_bytes =
      value_or(_SC_LEVEL3_CACHE_LINESIZE, caches.llc.line_bytes);
#endif
  return caches;
}

}  // namespace pruner
