// The threads of all kernels of this process.
#ifndef HALIDE_EXT_BUILD_KERNEL_THREADS_H_
#define HALIDE_EXT_BUILD_KERNEL_THREADS_H_

#include "Halide.h"

namespace pruner {

// Threads that kernels of this process use, the calling one included. Nothing
// may run meanwhile.
void SetKernelThreads(int threads);

// Has parallel loops of calls with this context run on threads of ours, which
// look out for the next one before they sleep (halide_ext/runtime). Not for
// pipelines whose parallel loops lie inside others: these would be serial. For
// as long as nobody set the threads Halide's are used.
void UseKernelThreads(Halide::JITUserContext& context);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_KERNEL_THREADS_H_
