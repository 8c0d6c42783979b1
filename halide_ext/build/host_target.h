// Whether code for a target runs on this machine.
#ifndef HALIDE_EXT_BUILD_HOST_TARGET_H_
#define HALIDE_EXT_BUILD_HOST_TARGET_H_

#include "absl/status/status.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// OK if Halide knows the target and its host part runs here, on as many cores:
// candidates for another processor would fail one by one, and a network would
// crash. Else a sentence that names the field of the target: what Halide does
// not know, another architecture or system, instructions that this processor
// lacks, more cores than the machine has CPUs. Of a device nothing is asked;
// see DeviceAvailable.
absl::Status CheckRunsHere(const TargetSpec& target);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_HOST_TARGET_H_
