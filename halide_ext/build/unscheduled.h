// Whether a pipeline is as its algorithm was written.
#ifndef HALIDE_EXT_BUILD_UNSCHEDULED_H_
#define HALIDE_EXT_BUILD_UNSCHEDULED_H_

#include "Halide.h"
#include "absl/status/status.h"

namespace pruner {

// Error: a Func is scheduled, and Halide cannot take that back. Fixes the
// loop levels, which can be read only then: the pipeline is of no use for
// scheduling any more.
absl::Status CheckUnscheduled(const Halide::Pipeline& pipeline);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_UNSCHEDULED_H_
