// Whether a schedule can be used, found out in a process of its own: of some
// Halide makes code without end, or crashes.
#ifndef HALIDE_EXT_PLUGIN_SCHEDULE_CHECK_H_
#define HALIDE_EXT_PLUGIN_SCHEDULE_CHECK_H_

#include "absl/status/statusor.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"

namespace pruner {

// Begins the command line of such a process (RunScheduleCheck).
inline constexpr char kCheckArgument[] = "check";

// Has this program lower the workload under the schedule, for a device until
// its kernels are compiled. The schedule, without the vectors that Halide does
// not compile (mixed_products.h). Error: FAILED_PRECONDITION, why it cannot be
// used: it asks more of inputs than the pipeline without a schedule, or of the
// device than that has; Halide refuses it, crashes, or computes for longer than
// it may.
absl::StatusOr<Schedule> CheckSchedule(const Workload& workload,
                                       const Schedule& schedule,
                                       const TargetSpec& target);

// What a program does whose first argument is kCheckArgument; the exit code.
int RunScheduleCheck();

}  // namespace pruner

#endif  // HALIDE_EXT_PLUGIN_SCHEDULE_CHECK_H_
