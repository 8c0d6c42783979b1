// How much memory this process uses.
#ifndef PRUNER_BASE_OS_MEMORY_H_
#define PRUNER_BASE_OS_MEMORY_H_

#include <cstdint>

namespace pruner {

// The most that was resident since the program started, or since it was reset;
// 0 where the system does not say.
int64_t PeakMemoryBytes();

// Counts from what is resident now. Does nothing where the system does not
// allow it.
void ResetPeakMemory();

}  // namespace pruner

#endif  // PRUNER_BASE_OS_MEMORY_H_
