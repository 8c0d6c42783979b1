// The threads of all kernels of this process.
#ifndef HALIDE_EXT_BUILD_KERNEL_THREADS_H_
#define HALIDE_EXT_BUILD_KERNEL_THREADS_H_

#include <cstddef>
#include <vector>

#include "Halide.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"

namespace pruner {

// Threads that kernels of this process use, the calling one included. Nothing
// may run meanwhile.
void SetKernelThreads(int threads);

struct MemoryRange {
  void* data = nullptr;
  size_t bytes = 0;
};

// What the parallel loops of a call of a kernel are told.
struct ThreadedCall : public Halide::JITUserContext {
  // Which the kernel is going to write all of, and nothing of it before its
  // first parallel loop: this claims it first (halide_ext/runtime).
  std::vector<MemoryRange> claims;
  bool is_in_loop = false;
};

// Has parallel loops of the call run on threads of ours, which look out for the
// next one before they sleep (halide_ext/runtime). Not for pipelines whose
// parallel loops lie inside others: these would be serial. For as long as
// nobody set the threads Halide's are used.
void UseKernelThreads(ThreadedCall& call);

// Has all threads claim their parts of memory whose contents nobody needs.
void ClaimMemory(absl::Span<const MemoryRange> memory);

// Runs share(k, n) for each k of n shares, one per thread, and each by the
// thread that would do the k-th share of a kernel's parallel loop. (A thread
// that is done may take over what another has not begun.)
void OnKernelThreads(absl::FunctionRef<void(int k, int n)> share);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_KERNEL_THREADS_H_
