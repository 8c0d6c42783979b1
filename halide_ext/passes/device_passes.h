// The lowering passes that kernels for devices need.
#ifndef HALIDE_EXT_PASSES_DEVICE_PASSES_H_
#define HALIDE_EXT_PASSES_DEVICE_PASSES_H_

#include "Halide.h"
#include "halide_ext/passes/promotion_report.h"

namespace pruner {

// Has `pipeline` run PromoteRegisters, MendKernels and MendEmptyStages, as the
// target needs it, whenever it is compiled. `report`, which may be null, must
// outlive the last compilation. Copies of a Pipeline share their contents, so
// this reaches the caller's.
void AddDevicePasses(Halide::Pipeline& pipeline, const Halide::Target& target,
                     PromotionReport* report);

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_DEVICE_PASSES_H_
