// Whether a target can start a kernel as it was compiled.
#ifndef HALIDE_EXT_BUILD_LAUNCH_LIMITS_H_
#define HALIDE_EXT_BUILD_LAUNCH_LIMITS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "halide_ext/passes/kernel_shape.h"
#include "halide_ext/passes/promotion_report.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// INVALID_ARGUMENT names the first kernel with more threads or shared memory
// than the target has for a block, or a grid that its driver does not start.
absl::Status CheckLaunchLimits(const TargetSpec& target,
                               absl::Span<const KernelShape> shapes);

// FAILED_PRECONDITION names the first stage in registers of which threads use
// elements that others have computed: its output is wrong.
absl::Status CheckPrivateRegisters(const PromotionReport& report);

// What a thread of each of these kernels may use such that a block fits a core.
int64_t RegistersPerThread(const TargetSpec& target,
                           absl::Span<const KernelShape> shapes);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_LAUNCH_LIMITS_H_
