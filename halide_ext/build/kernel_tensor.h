// A tensor that kernels work on: in host memory and, once a kernel of another
// device has used it, in that device's memory too. It stays there: what is
// copied, and when, is the caller's to say. Kernels of the host copy nothing.
#ifndef HALIDE_EXT_BUILD_KERNEL_TENSOR_H_
#define HALIDE_EXT_BUILD_KERNEL_TENSOR_H_

#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "halide_ext/build/kernel_argument.h"

namespace pruner {

class KernelTensor {
 public:
  // `host` is aligned to 64 bytes, as large as the argument says, and outlives
  // the tensor. What it holds when a kernel first uses the tensor is the
  // tensor's value.
  KernelTensor(const KernelArgument& argument, void* host);
  KernelTensor(KernelTensor&& other) noexcept;
  KernelTensor& operator=(KernelTensor&& other) = delete;
  ~KernelTensor();  // frees device memory

  void* host() const { return buffer_.host; }
  size_t bytes() const { return buffer_.size_in_bytes(); }

  // The next kernel finds what is in host memory then.
  void LoadFromHost();

  // Waits for the kernels that write the tensor, and makes host memory hold
  // what they wrote. Error: what the driver reports.
  absl::Status ReadToHost();

  // Waits until the device that holds the tensor, if any, is idle.
  absl::Status Wait();

 private:
  friend class Kernel;

  halide_buffer_t buffer_ = {};
  std::vector<halide_dimension_t> dimensions_;
};

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_KERNEL_TENSOR_H_
