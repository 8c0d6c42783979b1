#include "halide_ext/passes/device_passes.h"

#include "halide_ext/passes/empty_stages.h"
#include "halide_ext/passes/mend_kernels.h"
#include "halide_ext/passes/promote_registers.h"

namespace pruner {

void AddDevicePasses(Halide::Pipeline& pipeline, const Halide::Target& target,
                     PromotionReport* report) {
  AddPromoteRegisters(pipeline, report);
  AddMendKernels(pipeline, target.has_feature(Halide::Target::OpenCL));
  AddMendEmptyStages(pipeline);
}

}  // namespace pruner
