#include "halide_ext/build/kernel_tensor.h"

#include <utility>

#include "halide_ext/build/call_context.h"

namespace pruner {

KernelTensor::KernelTensor(const KernelArgument& argument, void* host)
    : dimensions_(argument.Dimensions()) {
  buffer_.host = static_cast<uint8_t*>(host);
  buffer_.type = argument.type;
  buffer_.dimensions = static_cast<int32_t>(dimensions_.size());
  buffer_.dim = dimensions_.data();
  LoadFromHost();
}

KernelTensor::KernelTensor(KernelTensor&& other) noexcept
    : buffer_(std::exchange(other.buffer_, {})),
      dimensions_(std::move(other.dimensions_)) {}

KernelTensor::~KernelTensor() {
  if (buffer_.device_interface == nullptr) return;
  CallContext context;
  // Nobody could do anything about an error.
  buffer_.device_interface->device_free(&context, &buffer_);
}

void KernelTensor::LoadFromHost() {
  buffer_.set_device_dirty(false);
  buffer_.set_host_dirty(true);
}

absl::Status KernelTensor::ReadToHost() {
  if (!buffer_.device_dirty()) return absl::OkStatus();
  CallContext context;
  return context.Check(
      buffer_.device_interface->copy_to_host(&context, &buffer_));
}

absl::Status KernelTensor::Wait() {
  if (buffer_.device_interface == nullptr) return absl::OkStatus();
  CallContext context;
  return context.Check(
      buffer_.device_interface->device_sync(&context, &buffer_));
}

}  // namespace pruner
