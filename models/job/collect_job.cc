#include "models/job/collect_job.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "models/job/network_job.h"
#include "models/job/network_jobs.h"
#include "models/job/network_outcome.h"
#include "models/job/open_log.h"
#include "models/job/output_folder.h"
#include "models/job/search_tasks.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/flag_range.h"
#include "pruner/record/log_contents.h"
#include "pruner/target/target_key.h"
#include "pruner/tune/distinct_tasks.h"
#include "pruner/tune/scheduler_table.h"
#include "pruner/tune/tune.h"

namespace pruner {
namespace {

// Of programs that depend on nothing that was measured.
constexpr char kPolicy[] = "random";
// Nothing is learned from a round, so one is as long as it takes for going from
// task to task not to matter.
constexpr int kRoundTrials = 64;

absl::Status CheckOptions(const CollectOptions& options) {
  RETURN_IF_ERROR(CheckFlagRange(
      "programs", static_cast<double>(options.programs), 1, 1'000'000));
  return CheckFlagRange("again", options.again, 0, 10'000);
}

TuneOptions SearchOptions(const CollectOptions& options) {
  TuneOptions search = options.search;
  search.policy = kPolicy;
  search.scheduler = kRoundRobin;
  search.task_trials = options.programs;
  search.round_trials = kRoundTrials;
  search.time_limit = absl::InfiniteDuration();
  search.race = 0;
  search.second_timings = options.again;
  return search;
}

// That the log has no trials but such as are collected now.
absl::Status CheckPrograms(const TuneOptions& search, const std::string& path) {
  const absl::StatusOr<LogContents> log = ReadRecordLog(path);
  if (search.fresh || !log.ok()) return absl::OkStatus();
  for (const auto& [id, run] : log->runs) {
    std::string sampling = run.info.Option("sampling");
    if (sampling.empty()) sampling = TuneOptions().sampling;
    if (run.info.policy == search.policy && sampling == search.sampling)
      continue;
    return absl::FailedPreconditionError(absl::StrCat(
        path, " has programs of --policy=", run.info.policy,
        " --sampling=", sampling,
        ", and a data set is of one way to draw programs: say --output_dir "
        "with another folder, or --fresh"));
  }
  return absl::OkStatus();
}

struct Subjects {
  std::vector<TuningTask> tasks;
  std::vector<std::string> what;  // sentences
};

absl::StatusOr<Subjects> SubjectsOf(const TuneOptions& options,
                                    const MakeTasks& more_tasks,
                                    const TargetSpec& target) {
  Subjects subjects;
  ASSIGN_OR_RETURN(const std::vector<NetworkJob> jobs,
                   LoadNetworkJobs(options, target));
  subjects.tasks = TuningTasks(jobs);
  for (const NetworkJob& job : jobs) subjects.what.push_back(TasksText(job));
  ASSIGN_OR_RETURN(const std::vector<TuningTask> more, more_tasks(target));
  subjects.tasks.insert(subjects.tasks.end(), more.begin(), more.end());
  if (!more.empty())
    subjects.what.push_back(absl::StrCat(more.size(), " operators"));
  for (TuningTask& task : subjects.tasks) {
    // Each has programs of its own, also where a network takes one of several.
    task.slot = -1;
    task.weight = 1;
  }
  return subjects;
}

}  // namespace

absl::StatusOr<CollectResult> RunCollectJob(const CollectOptions& options,
                                            const MakeTasks& more_tasks,
                                            const TuneCallbacks& callbacks) {
  TuneOptions search = SearchOptions(options);
  RETURN_IF_ERROR(CheckOptions(options));
  RETURN_IF_ERROR(CheckSearchOptions(search));
  ASSIGN_OR_RETURN(const TargetSpec target,
                   LoadTarget(search.target, search.threads));
  ASSIGN_OR_RETURN(const Subjects subjects,
                   SubjectsOf(search, more_tasks, target));
  if (subjects.tasks.empty()) {
    return absl::InvalidArgumentError(
        "programs of what? Say --model=resnet50, --operators=gmm,c3d or both");
  }
  search.trials =
      options.programs *
      static_cast<int64_t>(
          DistinctTasksOf(subjects.tasks, TargetKeyOf(target)).tasks.size());
  RETURN_IF_ERROR(CheckPrograms(
      search, absl::StrCat(search.output_dir, "/", kRecordLogFile)));
  ASSIGN_OR_RETURN(OutputFolder folder,
                   OpenFolder(search, subjects.tasks, target));
  ASSIGN_OR_RETURN(const FinishedSearch found,
                   SearchTasks(search, callbacks, subjects.tasks, subjects.what,
                               target, folder));
  return CollectResult{
      .log = folder.File(kRecordLogFile),
      .interrupted = found.outcome.end == TuningEnd::kInterrupted,
      .nothing_valid = WhyNothingIsValid(found.outcome)};
}

}  // namespace pruner
