// The target of a pipeline, from what Halide is told of it.
#ifndef HALIDE_EXT_PLUGIN_CPU_TARGET_H_
#define HALIDE_EXT_PLUGIN_CPU_TARGET_H_

#include <string>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Of the CPU that the target names, of so many cores (0: as many as this
// process may use; 16 if the code is for another machine). Measures nothing:
// registers follow from the target's features, caches are those of this machine
// if the code is for its kind, else common ones, peaks are common ones. Error:
// a target with a device.
absl::StatusOr<TargetSpec> CpuTargetOf(const Halide::Target& target,
                                       int parallelism);

// The same of a machine that the file describes (docs/algorithms.md B2), with
// its cores if `parallelism` is 0. Error, which names the file: it is none; it
// describes another kind of machine, or one with other vectors.
absl::StatusOr<TargetSpec> CpuTargetFromFile(const std::string& file,
                                             const Halide::Target& target,
                                             int parallelism);

// Whether this machine has all that code for the target needs.
bool MayRunHere(const Halide::Target& target);

// The target of code that is compiled and run at once, and does the same work:
// without what only a library for others has.
TargetSpec RunnableHere(TargetSpec target);

}  // namespace pruner

#endif  // HALIDE_EXT_PLUGIN_CPU_TARGET_H_
