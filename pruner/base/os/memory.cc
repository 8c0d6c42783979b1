#include "pruner/base/os/memory.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace pruner {

namespace {

constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();

// Of a file with lines such as "VmHWM:  123 kB".
std::optional<int64_t> BytesIn(const char* file, absl::string_view name) {
  std::ifstream lines(file);
  std::string word;
  while (lines >> word) {
    int64_t kilobytes = 0;
    if (word == name && lines >> kilobytes) return kilobytes * 1024;
  }
  return std::nullopt;
}

std::optional<int64_t> NumberIn(const char* file) {
  std::ifstream stream(file);
  int64_t number = 0;
  if (stream >> number) return number;
  return std::nullopt;
}

}  // namespace

int64_t PeakMemoryBytes() {
  return BytesIn("/proc/self/status", "VmHWM:").value_or(0);
}

int64_t AvailableMemoryBytes() {
  const int64_t system =
      BytesIn("/proc/meminfo", "MemAvailable:").value_or(kUnknown);
  // In a container, where this is the root; "max" is no number.
  const auto limit = NumberIn("/sys/fs/cgroup/memory.max");
  const auto used = NumberIn("/sys/fs/cgroup/memory.current");
  if (!limit || !used) return system;
  return std::min(system, std::max<int64_t>(0, *limit - *used));
}

void ResetPeakMemory() {
  // 5: the peak of what is resident (proc(5)).
  std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace pruner
