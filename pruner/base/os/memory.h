// How much memory this process uses, and may use.
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

// What can be had without taking it from others, as the system says, and the
// process' control group if it has a limit. The largest number where neither
// says anything.
int64_t AvailableMemoryBytes();

}  // namespace pruner

#endif  // PRUNER_BASE_OS_MEMORY_H_
