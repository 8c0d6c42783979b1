// What Halide's run time is told with every call: where errors go, and for CUDA
// which context to use. Without it an error ends the program.
#ifndef HALIDE_EXT_BUILD_CALL_CONTEXT_H_
#define HALIDE_EXT_BUILD_CALL_CONTEXT_H_

#include <string>

#include "Halide.h"
#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "halide_ext/build/fresh_heap.h"
#include "halide_ext/build/kernel_threads.h"

namespace pruner {

// Of one call; it and what it calls may report from several threads.
class CallContext : public ThreadedCall {
 public:
  // Where what the kernel allocates comes from: memory that is kept from call
  // to call; the same, and what it allocates outside of parallel loops becomes
  // the own of the cores that run it, before it is used; the same, full of
  // kPoison; `heap`, which outlives the call.
  enum class Memory { kKept, kClaimed, kPoisoned, kHeap };
  explicit CallContext(Memory memory = Memory::kKept,
                       FreshHeap* heap = nullptr);

  FreshHeap* heap() const { return heap_; }

  // Smaller memory is written as fast as it is claimed.
  static constexpr size_t kMinClaimed = 32 << 10;

  // What became of the call that returned `code`.
  absl::Status Check(int code) const;

 private:
  FreshHeap* const heap_;
  mutable absl::Mutex mutex_;
  std::string message_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_CALL_CONTEXT_H_
