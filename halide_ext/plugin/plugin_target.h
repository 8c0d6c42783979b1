// The target of a pipeline, from what Halide is told of it.
#ifndef HALIDE_EXT_PLUGIN_PLUGIN_TARGET_H_
#define HALIDE_EXT_PLUGIN_PLUGIN_TARGET_H_

#include <string>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Measures nothing. Of the CPU that the target names, of so many cores (0: as
// many as this process may use; 16 if the code is for another machine):
// registers follow from the target's features, caches are those of this machine
// if the code is for its kind, else common ones, peaks are common ones.
//
// Of a device, where `parallelism` says nothing: with CUDA the data-center
// device of the target's compute capability, without one an A100; with OpenCL
// its rates and the limits that all devices have. Error: another device.
absl::StatusOr<TargetSpec> PluginTarget(const Halide::Target& target,
                                        int parallelism);

// The same of a machine that a file describes (docs/algorithms.md B2) or that
// is packaged (KnownTargets), with its cores if `parallelism` is 0. Error,
// which names it: it is none; it describes another kind of machine, or one with
// other vectors.
absl::StatusOr<TargetSpec> PluginTargetFrom(const std::string& name_or_file,
                                            const Halide::Target& target,
                                            int parallelism);

// That schedules for it are right and fast without the lowering passes of
// device_passes.h.
TargetSpec WithoutPasses(TargetSpec target);

// Whether this machine's CPU has all that code for the target needs.
bool MayRunHere(const Halide::Target& target);

// The target of code that is compiled and run at once, and does the same work:
// without what only a library for others has.
TargetSpec RunnableHere(TargetSpec target);

}  // namespace pruner

#endif  // HALIDE_EXT_PLUGIN_PLUGIN_TARGET_H_
