// What of a pipeline its author has scheduled.
#ifndef HALIDE_EXT_BUILD_AUTHOR_SCHEDULES_H_
#define HALIDE_EXT_BUILD_AUTHOR_SCHEDULES_H_

#include "Halide.h"
#include "absl/status/status.h"
#include "halide_ext/analyze/analyze.h"

namespace pruner {

// The Funcs that are scheduled, and those in whose loops these are computed or
// stored, which are the author's, too. Fixes the loop levels, which can be read
// only then: the pipeline is of no use for scheduling any more.
AuthorSchedules AuthorSchedulesOf(const Halide::Pipeline& pipeline);

// Whether loops of the Func are scheduled; may be asked before loop levels are
// fixed.
bool HasScheduledLoops(const Halide::Internal::Function& function);

// Error: there are some, and Halide cannot take them back. Fixes the loop
// levels.
absl::Status CheckUnscheduled(const Halide::Pipeline& pipeline);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_AUTHOR_SCHEDULES_H_
