#include "halide_ext/build/call_context.h"

#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/build/compiled_kernel.h"
#include "halide_ext/build/cuda_driver.h"
#include "halide_ext/build/kernel_memory.h"

namespace pruner {
namespace {

int AcquireCudaContext(Halide::JITUserContext*, void** context, bool) {
  const absl::StatusOr<CudaDriver>& driver = CudaDriver::Get();
  if (!driver.ok()) return halide_error_code_incompatible_device_interface;
  *context = driver->context();
  return halide_error_code_success;
}

void* Allocate(Halide::JITUserContext*, size_t bytes) {
  return KernelMemory::Get().Allocate(bytes);
}

void* AllocateAndClaim(Halide::JITUserContext* context, size_t bytes) {
  void* const memory = KernelMemory::Get().Allocate(bytes);
  // What is allocated in a loop is of one thread, and was when it was used
  // last.
  const bool is_shared = !static_cast<CallContext*>(context)->is_in_loop;
  if (memory != nullptr && is_shared && bytes >= CallContext::kMinClaimed)
    ClaimMemory({{memory, bytes}});
  return memory;
}

void* AllocateAndPoison(Halide::JITUserContext*, size_t bytes) {
  void* const memory = KernelMemory::Get().Allocate(bytes);
  if (memory != nullptr) std::memset(memory, kPoison, bytes);
  return memory;
}

void Free(Halide::JITUserContext*, void* memory) {
  KernelMemory::Get().Free(memory);
}

void* AllocateOfHeap(Halide::JITUserContext* context, size_t bytes) {
  return static_cast<CallContext*>(context)->heap()->Allocate(bytes);
}

void FreeOfHeap(Halide::JITUserContext* context, void* memory) {
  static_cast<CallContext*>(context)->heap()->Free(memory);
}

}  // namespace

CallContext::CallContext(Memory memory, FreshHeap* heap) : heap_(heap) {
  if (memory == Memory::kHeap) {
    handlers.custom_malloc = AllocateOfHeap;
    handlers.custom_free = FreeOfHeap;
  } else {
    handlers.custom_malloc = memory == Memory::kClaimed    ? AllocateAndClaim
                             : memory == Memory::kPoisoned ? AllocateAndPoison
                                                           : Allocate;
    handlers.custom_free = Free;
  }
  handlers.custom_error = [](Halide::JITUserContext* context,
                             const char* text) {
    auto* call = static_cast<CallContext*>(context);
    const absl::MutexLock lock(call->mutex_);
    // What goes wrong later follows from the first error.
    if (call->message_.empty()) call->message_ = text;
  };
  // Asked only where CUDA code runs.
  handlers.custom_cuda_acquire_context = AcquireCudaContext;
}

absl::Status CallContext::Check(int code) const {
  const absl::MutexLock lock(mutex_);
  if (code == 0 && message_.empty()) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("the kernel reports error ", code, ": ",
                   absl::StripAsciiWhitespace(message_)));
}

}  // namespace pruner
