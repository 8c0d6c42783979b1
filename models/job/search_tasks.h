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
#include "pruner/record/record_log.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/tune.h"
#include "pruner/tune/tuning_task.h"

namespace pruner {

// Worker processes that measure for this run; their files are in the folder's
// scratch.
absl::StatusOr<std::unique_ptr<WorkerMeasurer>> MakeMeasurer(
    const TuneOptions& options, const TargetSpec& target, OutputFolder& folder);

// Tunes with a live line of progress. The records that the log was opened with
// count as done trials.
absl::StatusOr<TuningOutcome> SearchTasks(const TuneOptions& options,
                                          const TuneCallbacks& callbacks,
                                          absl::Span<const TuningTask> tasks,
                                          const TargetSpec& target,
                                          Measurer& measurer,
                                          RecordLog::Opened& log);

// The same without a trial: where nothing was measured before, the draft model
// chooses.
absl::StatusOr<TuningOutcome> DraftSchedules(const TuneOptions& options,
                                             const TuneCallbacks& callbacks,
                                             absl::Span<const TuningTask> tasks,
                                             const TargetSpec& target,
                                             const LogContents& earlier);

// Empty unless candidates were measured and none is valid: then a sentence with
// the first failure of each of some tasks.
std::string WhyNothingIsValid(const TuningOutcome& outcome);

}  // namespace pruner

#endif  // MODELS_JOB_SEARCH_TASKS_H_
