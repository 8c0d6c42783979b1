#include "halide_ext/build/launch_limits.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// CUDA C++ Programming Guide, table of technical specifications; the same for
// all compute capabilities.
constexpr LaunchExtents kCudaThreads = {.x = 1024, .y = 1024, .z = 64};
constexpr LaunchExtents kCudaBlocks = {.x = 2147483647, .y = 65535, .z = 65535};
// Registers are given to a warp in units of 256.
constexpr int64_t kCudaRegisterUnit = 8;  // of a thread

absl::Status CheckAtMost(absl::string_view kernel, absl::string_view what,
                         int64_t actual, int64_t limit) {
  if (actual <= limit) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("kernel ", kernel, " has ", actual, " ", what,
                   ", more than the ", limit, " that the target allows"));
}

absl::Status CheckExtents(absl::string_view kernel, absl::string_view what,
                          const LaunchExtents& actual,
                          const LaunchExtents& limit) {
  RETURN_IF_ERROR(
      CheckAtMost(kernel, absl::StrCat(what, " in x"), actual.x, limit.x));
  RETURN_IF_ERROR(
      CheckAtMost(kernel, absl::StrCat(what, " in y"), actual.y, limit.y));
  return CheckAtMost(kernel, absl::StrCat(what, " in z"), actual.z, limit.z);
}

}  // namespace

absl::Status CheckLaunchLimits(const TargetSpec& target,
                               absl::Span<const KernelShape> shapes) {
  for (const KernelShape& shape : shapes) {
    RETURN_IF_ERROR(CheckAtMost(shape.name, "threads in a block",
                                shape.threads.Product(),
                                target.limits.threads_per_block));
    RETURN_IF_ERROR(CheckAtMost(shape.name, "bytes of shared memory",
                                shape.shared_bytes,
                                target.limits.shared_bytes_per_block));
    if (target.backend != Backend::kCuda) continue;
    RETURN_IF_ERROR(
        CheckExtents(shape.name, "threads", shape.threads, kCudaThreads));
    RETURN_IF_ERROR(
        CheckExtents(shape.name, "blocks", shape.blocks, kCudaBlocks));
  }
  return absl::OkStatus();
}

absl::Status CheckPrivateRegisters(const PromotionReport& report) {
  for (const Refusal& refusal : report.refusals) {
    if (refusal.kind != RefusalKind::kSharedByThreads) continue;
    return absl::FailedPreconditionError(
        absl::StrCat(refusal.allocation, " in registers: ", refusal.reason));
  }
  return absl::OkStatus();
}

int64_t RegistersPerThread(const TargetSpec& target,
                           absl::Span<const KernelShape> shapes) {
  int64_t registers = target.limits.registers_per_thread;
  for (const KernelShape& shape : shapes) {
    const int64_t lanes = target.units.simd_lanes;
    const int64_t threads =
        (shape.threads.Product() + lanes - 1) / lanes * lanes;
    if (threads == 0) continue;  // not known
    const int64_t share = target.registers.count / threads;
    registers =
        std::min(registers, share / kCudaRegisterUnit * kCudaRegisterUnit);
  }
  return registers;
}

}  // namespace pruner
