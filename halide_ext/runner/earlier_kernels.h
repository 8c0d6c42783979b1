// How a network's earlier kernels leave the tensors that the next one works on.
#ifndef HALIDE_EXT_RUNNER_EARLIER_KERNELS_H_
#define HALIDE_EXT_RUNNER_EARLIER_KERNELS_H_

#include "absl/types/span.h"
#include "halide_ext/build/kernel_tensor.h"

namespace pruner {

// Leaves the tensors that a kernel reads as if one before had just written
// them, each thread the same share of every tensor (the k-th of n threads the
// k-th n-th), and those that it writes as if all threads had read from that
// memory before, which takes most to write again. What the tensors hold stays.
// Nothing else may use them meanwhile.
void LeaveAsEarlierKernels(absl::Span<KernelTensor* const> read,
                           absl::Span<KernelTensor* const> written);

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_EARLIER_KERNELS_H_
