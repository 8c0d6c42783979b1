// Memory that two threads of kernels work on.
#ifndef TOOLS_BENCH_SHARED_MEMORY_H_
#define TOOLS_BENCH_SHARED_MEMORY_H_

#include <cstddef>

#include "absl/time/time.h"
#include "pruner/base/os/huge_memory.h"

namespace pruner {

// To be used while kernels have two threads (SetKernelThreads).
class SharedMemory {
 public:
  // What a thread does with its part.
  using Action = void (*)(char* begin, char* end);
  static void Write(char* begin, char* end);  // a byte of each line
  static void Read(char* begin, char* end);   // the same

  // Dies if there is not so much memory.
  explicit SharedMemory(size_t bytes)
      : bytes_(bytes), memory_(*HugeMemory::Allocate(bytes)) {}

  // Each thread with its half, or the other's.
  absl::Duration Run(Action action, bool is_own = true);
  // The same, as gigabytes a second.
  double Speed(Action action, bool is_own = true);

  // Puts the lines into both cores' caches.
  void Share();

 private:
  size_t bytes_;
  HugeMemory memory_;
};

}  // namespace pruner

#endif  // TOOLS_BENCH_SHARED_MEMORY_H_
