// The search of a tuning run: tasks in, what was found for each out.
#ifndef MODELS_JOB_SEARCH_TASKS_H_
#define MODELS_JOB_SEARCH_TASKS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "halide_ext/runner/worker_measurer.h"
#include "models/job/output_folder.h"
#include "models/job/tune_options.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/tune.h"
#include "pruner/tune/tuning_task.h"

namespace pruner {

struct FinishedSearch {
  TuningOutcome outcome;
  // Its workers, for further timings; their files are in the folder's scratch.
  // Null if there were to be no trials.
  std::unique_ptr<WorkerMeasurer> measurer;
};

// Opens the folder's log and tunes, with a live line of progress. The records
// that are in the log count as done trials. `what` are sentences for the user
// on what is tuned. Where there are to be no trials, the draft model chooses
// the schedules of what was not measured before.
absl::StatusOr<FinishedSearch> SearchTasks(const TuneOptions& options,
                                           const TuneCallbacks& callbacks,
                                           absl::Span<const TuningTask> tasks,
                                           absl::Span<const std::string> what,
                                           const TargetSpec& target,
                                           OutputFolder& folder);

// Empty unless candidates were measured and none is valid: then a sentence with
// the first failure of each of some tasks.
std::string WhyNothingIsValid(const TuningOutcome& outcome);

}  // namespace pruner

#endif  // MODELS_JOB_SEARCH_TASKS_H_
