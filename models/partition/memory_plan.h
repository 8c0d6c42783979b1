// Packs buffers with known lifetimes into one arena.
#ifndef MODELS_PARTITION_MEMORY_PLAN_H_
#define MODELS_PARTITION_MEMORY_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace pruner {

// Holds data from the beginning of step `first` to the end of step `last`;
// first <= last.
struct BufferLifetime {
  int64_t bytes = 0;
  int first = 0;
  int last = 0;
};

struct MemoryPlan {
  std::vector<int64_t>
      offsets;        // in bytes, by buffer; multiples of the alignment
  int64_t bytes = 0;  // of the arena
};

// Buffers that are alive in one step do not overlap; others may. Greedy by size
// (Pisarchyk and Lee 2020, "Efficient Memory Management for Deep Neural Net
// Inference"): the largest buffer first, each at the lowest offset that is free
// during all its life.
MemoryPlan PlanMemory(absl::Span<const BufferLifetime> buffers,
                      int64_t alignment);

// The most bytes alive in any step: no plan needs less.
int64_t PeakLiveBytes(absl::Span<const BufferLifetime> buffers);

}  // namespace pruner

#endif  // MODELS_PARTITION_MEMORY_PLAN_H_
