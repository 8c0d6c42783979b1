// Memory as a program gets it that does nothing else.
#ifndef HALIDE_EXT_BUILD_FRESH_HEAP_H_
#define HALIDE_EXT_BUILD_FRESH_HEAP_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "pruner/base/os/glibc_malloc.h"

namespace pruner {

// Takes memory from the system, and gives it back, as glibc's malloc does in a
// process that has allocated nothing else: large blocks are mappings of their
// own until one as large has been freed, others are cut from a heap of their
// thread, which gives back what is free at its end once that is much
// (pruner/base/os/glibc_malloc.h). How long a pipeline takes to get pages
// for what it allocates depends on all that was allocated before: a process
// that has compiled candidates has pages left, applications have not (local
// Laplacian filters took 81 to 87 ms there, and 97 to 104 in processes of their
// own). Thread-safe.
class FreshHeap {
 public:
  FreshHeap();
  ~FreshHeap();
  FreshHeap(const FreshHeap&) = delete;
  FreshHeap& operator=(const FreshHeap&) = delete;

  // Aligned for any vector. Null: there is not as much memory.
  void* Allocate(size_t bytes);
  // What Allocate returned, or null.
  void Free(void* memory);

  // Bytes for which the system had no pages yet, since it was made.
  size_t taken() const { return taken_; }

 private:
  class Arena;
  struct Block;

  Arena& ArenaOfThread();
  Block* Map(size_t size);

  const uint64_t id_;  // no other heap ever has
  // What is freed decides about both, for all threads.
  std::atomic<size_t> smallest_mapped_ = glibc::kLeastMapped;
  std::atomic<size_t> most_free_at_end_ = glibc::kLeastGivenBack;
  std::atomic<size_t> taken_ = 0;
  absl::Mutex mutex_;
  std::map<std::thread::id, std::unique_ptr<Arena>> arenas_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_FRESH_HEAP_H_
