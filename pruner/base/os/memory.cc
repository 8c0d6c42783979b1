#include "pruner/base/os/memory.h"

#include <cstdint>
#include <fstream>
#include <string>

namespace pruner {

int64_t PeakMemoryBytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    int64_t kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

void ResetPeakMemory() {
  // 5: the peak of what is resident (proc(5)).
  std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace pruner
