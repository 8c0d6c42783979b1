// What a device is given to run, and what that needs of it: the oracle of
// whether a candidate is sound that needs no device.
#ifndef HALIDE_EXT_BUILD_DEVICE_CODE_H_
#define HALIDE_EXT_BUILD_DEVICE_CODE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/ptxas.h"
#include "halide_ext/passes/kernel_shape.h"
#include "halide_ext/passes/promotion_report.h"
#include "pruner/target/target_spec.h"

namespace pruner {

struct DeviceCode {
  std::string source;  // PTX for CUDA, OpenCL C for OpenCL
  PromotionReport promotions;
  std::vector<KernelShape> shapes;  // of the kernels in it, in their order
};

// Compiles for the target's device and leaves the host's part out. Errors: as
// WorkloadPipeline::Compile; a schedule that leaves everything on the host.
absl::StatusOr<DeviceCode> CompileDeviceCode(const WorkloadPipeline& pipeline,
                                             const Schedule& schedule,
                                             const TargetSpec& target);
absl::StatusOr<DeviceCode> CompileDeviceCode(const WorkloadPipeline& pipeline,
                                             const ScheduleFunction& schedule,
                                             const TargetSpec& target);

// The architecture of a CUDA target as ptxas names it, "sm_80". Error: the
// target is none.
absl::StatusOr<std::string> CudaArchitecture(const TargetSpec& target);

// What ptxas says of the code on the target, where a thread may use as many
// registers as a block leaves it. The shared memory is that of blocks as they
// are started. Errors: those of Ptxas::Assess.
absl::StatusOr<std::vector<KernelResources>> AssessCuda(
    const DeviceCode& code, const TargetSpec& target, const Ptxas& ptxas);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_DEVICE_CODE_H_
