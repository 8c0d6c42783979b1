#include "models/job/open_log.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/record/convert_log.h"

namespace pruner {
namespace {

std::vector<Workload> WorkloadsOf(absl::Span<const TuningTask> tasks) {
  std::vector<Workload> workloads;
  workloads.reserve(tasks.size());
  for (const TuningTask& task : tasks) workloads.push_back(task.workload);
  return workloads;
}

}  // namespace

absl::Status CheckLog(const TuneOptions& options, const std::string& path,
                      absl::Span<const TuningTask> tasks,
                      const TargetSpec& target) {
  if (options.fresh || !FileExists(path)) return absl::OkStatus();
  return CheckRecordLog(path, WorkloadsOf(tasks), target);
}

absl::StatusOr<RecordLog::Opened> OpenLog(const TuneOptions& options,
                                          const TuneCallbacks& callbacks,
                                          absl::Span<const TuningTask> tasks,
                                          const TargetSpec& target,
                                          OutputFolder& folder) {
  const std::string path = folder.File(kRecordLogFile);
  if (options.fresh && FileExists(path)) {
    ASSIGN_OR_RETURN(const std::string aside, folder.PutAside(kRecordLogFile));
    callbacks.say(
        absl::StrCat("the earlier records are in ", folder.File(aside)));
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> converted,
                   ConvertLogFile(path, WorkloadsOf(tasks), target));
  for (const std::string& note : converted) callbacks.say(note);
  ASSIGN_OR_RETURN(RecordLog::Opened opened, RecordLog::Open(path));
  for (const std::string& note : opened.contents.notes) callbacks.say(note);
  return opened;
}

absl::StatusOr<OutputFolder> OpenFolder(const TuneOptions& options,
                                        absl::Span<const TuningTask> tasks,
                                        const TargetSpec& target) {
  RETURN_IF_ERROR(
      CheckLog(options, absl::StrCat(options.output_dir, "/", kRecordLogFile),
               tasks, target));
  return OutputFolder::Open(options.output_dir);
}

}  // namespace pruner
