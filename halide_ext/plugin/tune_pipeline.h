// The plugin's search with timings: what `tune` does for a network, for one
// pipeline that comes from somewhere else.
#ifndef HALIDE_EXT_PLUGIN_TUNE_PIPELINE_H_
#define HALIDE_EXT_PLUGIN_TUNE_PIPELINE_H_

#include <functional>
#include <optional>
#include <string>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "halide_ext/plugin/plugin.pb.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/tuning_task.h"

namespace pruner {

// Begins the command line of a process that measures (RunIfWorker).
inline constexpr char kMeasureArgument[] = "measure";

// What can be told before a pipeline is looked at. Errors name the parameter:
// code that cannot run here; a device that is not there; more threads than
// there are cores; a policy, a model or a log that cannot be used.
absl::Status CheckSearch(const proto::ScheduleRequest& request,
                         const TargetSpec& target);

// The fastest valid schedule of so many candidates, each compiled and timed in
// a process of its own, DraftSchedule's among the first and earlier ones of the
// request's log included; without trials the fastest of the log, or none. `say`
// is told how it goes. Errors: INTERNAL if the search broke: what keeps the
// measurer from going on, or no candidate that is valid; others are the user's
// to mend.
absl::StatusOr<std::optional<Schedule>> TunePipeline(
    const TuningTask& task, const TargetSpec& target,
    const proto::ScheduleRequest& request,
    const std::function<void(absl::string_view)>& say);

}  // namespace pruner

#endif  // HALIDE_EXT_PLUGIN_TUNE_PIPELINE_H_
