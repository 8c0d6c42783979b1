// The record log of a tuning run, ready to go on.
#ifndef MODELS_JOB_OPEN_LOG_H_
#define MODELS_JOB_OPEN_LOG_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/job/output_folder.h"
#include "models/job/tune_options.h"
#include "pruner/record/record_log.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/tuning_task.h"

namespace pruner {

// The name of the log in the folder.
inline constexpr char kRecordLogFile[] = "records.log";

// Whether OpenLog could go on with the log at `path`: an error that is the
// user's to mend is said before anything in the folder is touched.
absl::Status CheckLog(const TuneOptions& options, const std::string& path,
                      absl::Span<const TuningTask> tasks,
                      const TargetSpec& target);

// Opens the folder's log, or makes one. With options.fresh an earlier one is
// put aside. One of the first format is converted where its records are of
// `tasks` and of the target, and put aside as well. The user is told of that
// and of what was damaged.
absl::StatusOr<RecordLog::Opened> OpenLog(const TuneOptions& options,
                                          const TuneCallbacks& callbacks,
                                          absl::Span<const TuningTask> tasks,
                                          const TargetSpec& target,
                                          OutputFolder& folder);

// The folder that a run writes to. The log is looked at first: if it cannot be
// used, nothing is touched.
absl::StatusOr<OutputFolder> OpenFolder(const TuneOptions& options,
                                        absl::Span<const TuningTask> tasks,
                                        const TargetSpec& target);

}  // namespace pruner

#endif  // MODELS_JOB_OPEN_LOG_H_
