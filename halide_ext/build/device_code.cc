#include "halide_ext/build/device_code.h"

#include <cstring>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/build/launch_limits.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Halide keeps the source of a module's kernels in one of its buffers.
absl::StatusOr<std::string> SourceOf(const Halide::Module& module) {
  for (const Halide::Buffer<>& buffer : module.buffers()) {
    if (!absl::StrContains(buffer.name(), "gpu_source_kernels")) continue;
    const char* text = reinterpret_cast<const char*>(buffer.data());
    return std::string(text, strnlen(text, buffer.size_in_bytes()));
  }
  return absl::InvalidArgumentError(
      "the schedule has no code for a device: no loop is bound to blocks");
}

absl::StatusOr<DeviceCode> MakeDeviceCode(
    absl::StatusOr<CompiledModule> compiled) {
  RETURN_IF_ERROR(compiled.status());
  DeviceCode code = {.source = {},
                     .promotions = std::move(compiled->promotions),
                     .shapes = std::move(compiled->shapes)};
  ASSIGN_OR_RETURN(code.source, SourceOf(compiled->module));
  return code;
}

}  // namespace

absl::StatusOr<DeviceCode> CompileDeviceCode(const WorkloadPipeline& pipeline,
                                             const Schedule& schedule,
                                             const TargetSpec& target) {
  return MakeDeviceCode(pipeline.CompileToModule(schedule, target));
}

absl::StatusOr<DeviceCode> CompileDeviceCode(const WorkloadPipeline& pipeline,
                                             const ScheduleFunction& schedule,
                                             const TargetSpec& target) {
  return MakeDeviceCode(pipeline.CompileToModule(schedule, target));
}

absl::StatusOr<std::string> CudaArchitecture(const TargetSpec& target) {
  if (target.backend != Backend::kCuda) {
    return absl::InvalidArgumentError(
        absl::StrCat("target \"", target.name, "\" is not for CUDA"));
  }
  return absl::StrCat(
      "sm_",
      Halide::Target(target.halide_target).get_cuda_capability_lower_bound());
}

absl::StatusOr<std::vector<KernelResources>> AssessCuda(
    const DeviceCode& code, const TargetSpec& target, const Ptxas& ptxas) {
  ASSIGN_OR_RETURN(const std::string architecture, CudaArchitecture(target));
  ASSIGN_OR_RETURN(std::vector<KernelResources> kernels,
                   ptxas.Assess(code.source, architecture,
                                RegistersPerThread(target, code.shapes)));
  if (kernels.size() != code.shapes.size()) {
    return absl::InternalError(absl::StrCat("ptxas speaks of ", kernels.size(),
                                            " kernels where there are ",
                                            code.shapes.size()));
  }
  for (size_t i = 0; i < kernels.size(); ++i)
    kernels[i].shared_bytes += code.shapes[i].shared_bytes;
  return kernels;
}

}  // namespace pruner
