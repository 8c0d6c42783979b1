// The target of a pipeline, from what Halide is told of it.
#ifndef HALIDE_EXT_PLUGIN_CPU_TARGET_H_
#define HALIDE_EXT_PLUGIN_CPU_TARGET_H_

#include "Halide.h"
#include "absl/status/statusor.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Of the CPU that the target names, of so many cores (0: as many as this
// process may use; 16 if the code is for another machine). Measures nothing:
// registers follow from the target's features, caches are those of this machine
// if the code may run here, else common ones, peaks are common ones. Error: a
// target with a device.
absl::StatusOr<TargetSpec> CpuTargetOf(const Halide::Target& target,
                                       int parallelism);

}  // namespace pruner

#endif  // HALIDE_EXT_PLUGIN_CPU_TARGET_H_
