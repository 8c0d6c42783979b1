// Memory that kernels allocate while they run.
#ifndef HALIDE_EXT_BUILD_KERNEL_MEMORY_H_
#define HALIDE_EXT_BUILD_KERNEL_MEMORY_H_

#include <atomic>
#include <cstddef>
#include <list>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "halide_ext/build/shared_scratch.h"

namespace pruner {

// Keeps blocks that were freed and hands them out again. A kernel needs
// the same ones in every run: given back to the system they would come as pages
// to be cleared one by one, which takes longer than many a kernel (the default
// schedule of //tools/bench:stencils' pyramid took 15.7 ms with the C library's
// memory, and 5.1 when that was told to keep all). Large ones are cut from one
// piece. Thread-safe.
class KernelMemory {
 public:
  // Keeps up to `max_kept` bytes, and has a piece of `shared` bytes for large
  // blocks.
  explicit KernelMemory(size_t max_kept, size_t shared = 0)
      : max_kept_(max_kept), shared_(shared) {}
  ~KernelMemory() { Release(); }
  KernelMemory(const KernelMemory&) = delete;
  KernelMemory& operator=(const KernelMemory&) = delete;

  // Of all kernels of this process.
  static KernelMemory& Get();

  // Aligned for any vector. Null: there is not as much memory.
  void* Allocate(size_t bytes);
  // What Allocate returned, or null.
  void Free(void* memory);

  size_t kept() const;

  // Whether large blocks that are allocated from now on are cut from the one
  // piece, if there is one. So it is, but for benchmarks.
  void set_shares(bool shares) { shares_ = shares; }

 private:
  struct Block;
  // What is known of a block without looking into its memory.
  struct Kept {
    Block* block = nullptr;
    size_t size = 0;
    std::thread::id thread = {};  // that freed it
  };

  // The one that was freed last, of this thread for preference: its cache may
  // have some of it. Null: none.
  Block* TakeKept(size_t size);
  // Gives back to the system what was freed first.
  void ShrinkTo(size_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Release();

  const size_t max_kept_;
  SharedScratch shared_;
  std::atomic<bool> shares_ = true;
  mutable absl::Mutex mutex_;
  std::list<Kept> blocks_ ABSL_GUARDED_BY(mutex_);  // freed last comes first
  size_t kept_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_KERNEL_MEMORY_H_
