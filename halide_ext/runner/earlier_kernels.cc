#include "halide_ext/runner/earlier_kernels.h"

#include <cstddef>
#include <cstdint>

#include "halide_ext/build/kernel_threads.h"

namespace pruner {
namespace {

constexpr size_t kLine = 64;

// A byte of each line is read, and written as it is if `writes`.
void TouchLines(const KernelTensor& tensor, size_t begin, size_t end,
                bool writes) {
  auto* const bytes = static_cast<volatile uint8_t*>(tensor.host());
  for (size_t line = begin; line < end; ++line) {
    const uint8_t byte = bytes[line * kLine];
    if (writes) bytes[line * kLine] = byte;
  }
}

size_t Lines(const KernelTensor& tensor) {
  return (tensor.bytes() + kLine - 1) / kLine;
}

void WriteShares(absl::Span<KernelTensor* const> tensors) {
  OnKernelThreads([&](size_t k, size_t n) {
    for (const KernelTensor* const tensor : tensors) {
      const size_t lines = Lines(*tensor);
      TouchLines(*tensor, k * lines / n, (k + 1) * lines / n, /*writes=*/true);
    }
  });
}

void ReadByAll(absl::Span<KernelTensor* const> tensors) {
  OnKernelThreads([&](size_t, size_t) {
    for (const KernelTensor* const tensor : tensors)
      TouchLines(*tensor, 0, Lines(*tensor), /*writes=*/false);
  });
}

}  // namespace

void LeaveAsEarlierKernels(absl::Span<KernelTensor* const> read,
                           absl::Span<KernelTensor* const> written) {
  if (!written.empty()) ReadByAll(written);
  if (!read.empty()) WriteShares(read);
}

}  // namespace pruner
