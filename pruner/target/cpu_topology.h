// How many cores this process may use and the caches they have, read from the
// files the kernel offers.
//
// `root` stands before every path ("" for the machine itself), so that tests
// can bring a machine of their own.

#ifndef PRUNER_TARGET_CPU_TOPOLOGY_H_
#define PRUNER_TARGET_CPU_TOPOLOGY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

// The first hardware thread among `cpus` (not empty) of each physical core, at
// most as many as the CPU quota of the process's control group allows; at least
// one.
std::vector<int> UsableCores(const std::string& root,
                             const std::vector<int>& cpus);

// The tightest quota of the process's control group and those above it, in
// CPUs; nothing if there is none. Understands control groups of version 1
// and 2.
std::optional<double> CgroupCpuQuota(const std::string& root);

struct CacheLevel {
  int64_t size_bytes = 0;
  int64_t line_bytes = 0;

  bool operator==(const CacheLevel&) const = default;
};

struct CpuCaches {
  CacheLevel l1;  // one core's data cache
  CacheLevel l2;  // one core's share
  CacheLevel
      llc;  // of the highest level there is, all those of `cpus` together

  bool operator==(const CpuCaches&) const = default;
};

// `cpus` must not be empty. What the kernel does not tell is taken from
// `fallback`.
CpuCaches DetectCaches(const std::string& root, const std::vector<int>& cpus,
                       const CpuCaches& fallback);

// What sysconf() knows, for the rest sizes that are common today.
CpuCaches SysconfCaches();

}  // namespace pruner

#endif  // PRUNER_TARGET_CPU_TOPOLOGY_H_
