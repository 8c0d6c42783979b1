// How much code a schedule for any size may be.
#ifndef HALIDE_EXT_BUILD_CODE_LIMITS_H_
#define HALIDE_EXT_BUILD_CODE_LIMITS_H_

#include "absl/status/status.h"
#include "halide_ext/build/kernel.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Sets those limits of the target within which code for any size of the
// pipeline is compiled in seconds. Error: what Halide refuses.
absl::Status LimitCode(const WorkloadPipeline& pipeline, TargetSpec& target);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_CODE_LIMITS_H_
