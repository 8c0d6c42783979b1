#include "halide_ext/build/compiled_kernel.h"

#include <algorithm>

#include "absl/base/call_once.h"
#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "halide_ext/build/call_context.h"
#include "halide_ext/build/cuda_driver.h"
#include "halide_ext/build/fresh_heap.h"
#include "halide_ext/build/kernel_threads.h"
#include "halide_ext/build/launch_limits.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/status_macros.h"
#include "pruner/target/device_available.h"

namespace pruner {
namespace {

absl::Status RunAll(const Kernel& kernel,
                    absl::Span<KernelTensor* const> tensors, int runs,
                    const RunOptions& options) {
  for (int i = 0; i < runs; ++i) RETURN_IF_ERROR(kernel.Run(tensors, options));
  return absl::OkStatus();
}

}  // namespace

struct Kernel::Contents {
  explicit Contents(Parts parts) : parts(std::move(parts)) {}

  // Before the first run, when the run time loads device code.
  absl::Status Prepare() const {
    absl::call_once(prepared, [this] { available = FindDevice(); });
    return available;
  }

  absl::Status FindDevice() const {
    RETURN_IF_ERROR(DeviceAvailable(parts.target));
    if (parts.target.backend != Backend::kCuda) return absl::OkStatus();
    RETURN_IF_ERROR(CudaDriver::Get().status());
    // Halide's run time reads this whenever it loads code, and otherwise allows
    // 64 registers.
    SetEnv("HL_CUDA_JIT_MAX_REGISTERS",
           absl::StrCat(RegistersPerThread(parts.target, parts.shapes)));
    return absl::OkStatus();
  }

  Parts parts;
  mutable absl::once_flag prepared;
  mutable absl::Status available;
  mutable FreshHeap heap;
};

Kernel::Kernel(Parts parts)
    : contents_(std::make_shared<const Contents>(std::move(parts))) {}

const PromotionReport& Kernel::promotions() const {
  return contents_->parts.promotions;
}

const std::vector<KernelShape>& Kernel::shapes() const {
  return contents_->parts.shapes;
}

absl::Status Kernel::Run(absl::Span<KernelTensor* const> tensors,
                         const RunOptions& options) const {
  const Parts& parts = contents_->parts;
  CHECK_EQ(tensors.size(), parts.arguments.size());
  RETURN_IF_ERROR(contents_->Prepare());
  const bool is_threaded =
      !parts.parallel_loops.has_nests && !parts.is_for_others;
  const bool claims = options.claim_memory && is_threaded &&
                      parts.target.backend == Backend::kHost;
  using Memory = CallContext::Memory;
  CallContext context(options.poison_memory ? Memory::kPoisoned
                      : parts.is_for_others ? Memory::kHeap
                      : claims              ? Memory::kClaimed
                                            : Memory::kKept,
                      &contents_->heap);
  if (is_threaded) UseKernelThreads(context);
  if (claims && parts.parallel_loops.precede_outputs) {
    for (size_t i = parts.num_inputs; i < tensors.size(); ++i) {
      // Between rows there is what others have written.
      if (parts.arguments[i].rows.IsDense() &&
          tensors[i]->bytes() >= CallContext::kMinClaimed) {
        context.claims.push_back({tensors[i]->host(), tensors[i]->bytes()});
      }
    }
  }
  Halide::JITUserContext* context_pointer = &context;
  std::vector<const void*> argv = {static_cast<const void*>(&context_pointer)};
  const auto outputs = static_cast<size_t>(parts.num_inputs);
  for (KernelTensor* tensor : tensors.first(outputs))
    argv.push_back(&tensor->buffer_);
  for (const KernelNumber& number : parts.numbers)
    argv.push_back(&number.value);
  for (KernelTensor* tensor : tensors.subspan(outputs))
    argv.push_back(&tensor->buffer_);
  return context.Check(parts.callable.call_argv_fast(argv.size(), argv.data()));
}

absl::Status Kernel::Run(absl::Span<void* const> tensors,
                         const RunOptions& options) const {
  const Parts& parts = contents_->parts;
  CHECK_EQ(tensors.size(), parts.arguments.size());
  std::vector<KernelTensor> all;
  std::vector<KernelTensor*> pointers;
  all.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    pointers.push_back(&all.emplace_back(parts.arguments[i], tensors[i]));
  }
  RETURN_IF_ERROR(Run(pointers, options));
  for (size_t i = parts.num_inputs; i < all.size(); ++i) {
    RETURN_IF_ERROR(all[i].ReadToHost());
  }
  return absl::OkStatus();
}

absl::StatusOr<double> Kernel::Time(absl::Span<KernelTensor* const> tensors,
                                    int runs, const RunOptions& options) const {
  CHECK_GT(runs, 0);
  RETURN_IF_ERROR(contents_->Prepare());
  if (contents_->parts.target.backend == Backend::kCuda) {
    ASSIGN_OR_RETURN(const double seconds, CudaDriver::Get()->SecondsOf([&] {
      return RunAll(*this, tensors, runs, options);
    }));
    return seconds / runs;
  }
  Clock& clock = RealClock();
  const absl::Duration start = clock.Elapsed();
  RETURN_IF_ERROR(RunAll(*this, tensors, runs, options));
  for (KernelTensor* tensor : tensors) RETURN_IF_ERROR(tensor->Wait());
  return absl::ToDoubleSeconds(clock.Elapsed() - start) / runs;
}

}  // namespace pruner
