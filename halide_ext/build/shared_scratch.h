// One piece of memory that all large blocks of kernels are cut from.
#ifndef HALIDE_EXT_BUILD_SHARED_SCRATCH_H_
#define HALIDE_EXT_BUILD_SHARED_SCRATCH_H_

#include <cstddef>
#include <map>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "halide_ext/build/free_ranges.h"
#include "pruner/base/os/huge_memory.h"

namespace pruner {

// A block begins as low as there is room, so that the kernels of a network,
// which run one after the other, write where the one before wrote: its lines
// are in the caches and its pages in the TLB, which would not be so if each had
// blocks of its own. In huge pages, where the system gives them. Thread-safe.
class SharedScratch {
 public:
  // Of the widest vectors, and of pairs of cache lines.
  static constexpr size_t kAlignment = 128;

  // Of so many bytes, of which the system gives those that are used.
  explicit SharedScratch(size_t bytes);

  // At a multiple of kAlignment. Null: there is no room.
  void* Allocate(size_t bytes);
  // Whether Allocate returned it.
  bool Owns(const void* memory) const;
  void Free(void* memory);

 private:
  char* begin() const { return static_cast<char*>(memory_.data()); }

  HugeMemory memory_;  // empty if there is none
  absl::Mutex mutex_;
  FreeRanges free_ ABSL_GUARDED_BY(mutex_);
  // Their sizes by where they begin.
  std::map<size_t, size_t> used_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_SHARED_SCRATCH_H_
