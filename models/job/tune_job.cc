#include "models/job/tune_job.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/pipeline_loader.h"
#include "halide_ext/runner/verify_winner.h"
#include "halide_ext/runner/worker_measurer.h"
#include "models/job/checked_network.h"
#include "models/job/compare_autoschedulers.h"
#include "models/job/network_job.h"
#include "models/job/network_jobs.h"
#include "models/job/network_outcome.h"
#include "models/job/open_log.h"
#include "models/job/output_folder.h"
#include "models/job/search_tasks.h"
#include "models/job/summary.h"
#include "models/runtime/default_schedules.h"
#include "models/runtime/tuned_network.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/status_macros.h"
#include "pruner/tune/tune.h"

namespace pruner {
namespace {

// Letters, digits and underscores.
std::string Identifier(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !absl::ascii_isalnum(c); },
      '_');
  return name;
}

std::string SchedulesFolder(const std::string& name) {
  return absl::StrCat(kSchedulesFolder, "/", name, "/");
}

// One run of the tuner: what its parts have in common.
class TuneJob {
 public:
  TuneJob(const TuneOptions& options, const TuneCallbacks& callbacks,
          const TargetSpec& target, OutputFolder folder)
      : options_(options),
        callbacks_(callbacks),
        target_(target),
        folder_(std::move(folder)) {}

  absl::StatusOr<TuneResult> TuneNetworks(std::vector<NetworkJob> jobs);
  absl::StatusOr<TuneResult> TunePipeline(const std::string& name,
                                          const Workload& workload);

 private:
  // Opens the log and searches.
  // `what` are sentences on what is tuned.
  absl::StatusOr<TuningOutcome> Search(absl::Span<const TuningTask> tasks,
                                       absl::Span<const std::string> what);
  absl::Status WriteSchedule(const std::string& folder,
                             const Workload& workload,
                             const Schedule& schedule);
  absl::Status WriteSummary(const std::string& file,
                            const proto::Summary& summary) {
    return folder_.Write(file, SummaryToJson(summary));
  }
  // The schedules of a network's kernels, in place of earlier ones.
  absl::Status WriteSchedules(const NetworkJob& job,
                              const NetworkOutcome& outcome);
  // Those and the tuned network.
  absl::Status WriteNetwork(const NetworkJob& job,
                            const NetworkOutcome& outcome,
                            absl::Span<const TaskOutcome> found);
  // What the search has found for one of the networks.
  struct FoundNetwork {
    const NetworkJob* job = nullptr;
    std::string file = {};  // of the summary
    absl::Span<const TaskOutcome> tasks = {};
    NetworkOutcome outcome = {};
    proto::Summary summary = {};
  };
  // All that a network gets when the search is over. What of it fails does not
  // keep the summary from being written.
  absl::Status Finish(FoundNetwork& found);

  const TuneOptions& options_;
  const TuneCallbacks& callbacks_;
  const TargetSpec& target_;
  OutputFolder folder_;
  std::unique_ptr<WorkerMeasurer> measurer_;
};

absl::StatusOr<TuningOutcome> TuneJob::Search(
    absl::Span<const TuningTask> tasks, absl::Span<const std::string> what) {
  ASSIGN_OR_RETURN(
      FinishedSearch search,
      SearchTasks(options_, callbacks_, tasks, what, target_, folder_));
  measurer_ = std::move(search.measurer);
  return std::move(search.outcome);
}

absl::Status TuneJob::WriteSchedule(const std::string& folder,
                                    const Workload& workload,
                                    const Schedule& schedule) {
  ASSIGN_OR_RETURN(const WorkloadPipeline pipeline,
                   WorkloadPipeline::Load(workload.pipeline));
  const std::string name = Identifier(workload.name);
  ASSIGN_OR_RETURN(
      const std::string text,
      pipeline.PrintCpp(schedule, target_, absl::StrCat("schedule_", name)));
  return folder_.Write(absl::StrCat(folder, name, ".h"), text);
}

absl::Status TuneJob::WriteSchedules(const NetworkJob& job,
                                     const NetworkOutcome& outcome) {
  const std::string folder = SchedulesFolder(job.name);
  for (const NetworkTask& task : outcome.winners) {
    RETURN_IF_ERROR(WriteSchedule(folder, task.workload,
                                  outcome.best.at(task.workload.key)));
  }
  return folder_.RemoveBelow(folder);
}

absl::Status TuneJob::WriteNetwork(const NetworkJob& job,
                                   const NetworkOutcome& outcome,
                                   absl::Span<const TaskOutcome> found) {
  RETURN_IF_ERROR(folder_.Write(
      absl::StrCat(job.name, kTunedNetworkSuffix),
      SerializeTunedNetwork(
          ToTunedNetwork(job, outcome, found),
          {.embedded = options_.embed_weights, .file = ModelFile(job.model)})));
  return WriteSchedules(job, outcome);
}

absl::Status TuneJob::Finish(FoundNetwork& found) {
  const absl::Duration start = RealClock().Elapsed();
  const NetworkJob& job = *found.job;
  if (!options_.compare.empty()) {
    for (const NetworkTask& direct :
         FastestTasks(job.tasks, {}, job.measure_policy, job.target)) {
      CompareAutoschedulers(options_, callbacks_, direct.workload,
                            job.measure_policy, *measurer_,
                            *found.summary.mutable_tasks(direct.subgraph));
    }
  }
  const absl::StatusOr<NetworkOutcome> checked =
      CheckedOutcome(options_, callbacks_, folder_, job, found.outcome,
                     found.tasks, found.summary);
  // What computes something wrong is not handed out.
  absl::Status status = checked.status();
  if (status.ok()) status = WriteNetwork(job, *checked, found.tasks);
  if (absl::IsCancelled(status)) {
    status = absl::CancelledError(absl::StrCat(
        "interrupted before ", job.model,
        " was checked, so it is not written; what was measured is in the log, "
        "and tune goes on there"));
  }
  found.summary.set_finishing_seconds(
      absl::ToDoubleSeconds(RealClock().Elapsed() - start));
  RETURN_IF_ERROR(WriteSummary(found.file, found.summary));
  return status;
}

absl::StatusOr<TuneResult> TuneJob::TuneNetworks(std::vector<NetworkJob> jobs) {
  std::vector<std::string> files, what;
  for (const NetworkJob& job : jobs) {
    files.push_back(SummaryFile(job.name, jobs.size()));
    files.push_back(absl::StrCat(job.name, kTunedNetworkSuffix));
    files.push_back(SchedulesFolder(job.name));
    what.push_back(TasksText(job));
  }
  RETURN_IF_ERROR(folder_.Claim(files));
  if (options_.trials > 0) {
    callbacks_.say("comparing all formulations with double precision");
    for (NetworkJob& job : jobs) {
      RETURN_IF_ERROR(CheckFormulations(options_, callbacks_, folder_, job));
    }
  }
  ASSIGN_OR_RETURN(const TuningOutcome whole, Search(TuningTasks(jobs), what));
  absl::Span<const TaskOutcome> rest = whole.tasks;
  std::vector<FoundNetwork> networks;
  for (const NetworkJob& job : jobs) {
    FoundNetwork& found = networks.emplace_back(
        FoundNetwork{.job = &job,
                     .file = SummaryFile(job.name, jobs.size()),
                     .tasks = rest.first(job.tasks.size())});
    rest.remove_prefix(found.tasks.size());
    ASSIGN_OR_RETURN(found.outcome, OutcomeOf(job, found.tasks));
    found.summary = SummaryOf(options_, job, found.outcome, found.tasks, whole);
    // Whatever becomes of the rest.
    RETURN_IF_ERROR(WriteSummary(found.file, found.summary));
  }
  TuneResult result = {.nothing_valid = WhyNothingIsValid(whole)};
  absl::Status finished;
  for (FoundNetwork& found : networks) {
    // One that is wrong is no other's misfortune.
    if (result.nothing_valid.empty() && !absl::IsCancelled(finished))
      finished.Update(Finish(found));
    result.summaries.push_back(std::move(found.summary));
  }
  RETURN_IF_ERROR(finished);
  return result;
}

absl::StatusOr<TuneResult> TuneJob::TunePipeline(const std::string& name,
                                                 const Workload& workload) {
  const std::string folder = SchedulesFolder(name);
  RETURN_IF_ERROR(folder_.Claim({kSummaryFile, folder}));
  const TuningTask task = {.workload = workload};
  const std::string what =
      absl::StrCat(options_.pipeline, ": ", workload.dag.size(), " stages");
  ASSIGN_OR_RETURN(const TuningOutcome outcome, Search({task}, {what}));
  proto::Summary summary = SummaryOfPipeline(options_, target_, task, outcome);
  const TaskOutcome& found = outcome.tasks[0];
  if (found.records.best && !options_.compare.empty()) {
    CompareAutoschedulers(options_, callbacks_, workload, task.measure_policy,
                          *measurer_, *summary.mutable_tasks(0));
  }
  RETURN_IF_ERROR(WriteSummary(kSummaryFile, summary));
  if (found.records.best && measurer_ != nullptr) {
    RETURN_IF_ERROR(VerifyWinner(measurer_->options(), workload,
                                 task.measure_policy,
                                 found.records.best->schedule));
  }
  if (found.records.best || found.drafted) {
    RETURN_IF_ERROR(WriteSchedule(folder, workload,
                                  found.records.best
                                      ? found.records.best->schedule
                                      : found.drafted->schedule));
    RETURN_IF_ERROR(folder_.RemoveBelow(folder));
  }
  return TuneResult{.summaries = {summary},
                    .nothing_valid = WhyNothingIsValid(outcome)};
}

absl::StatusOr<PipelineLoaderOptions> LoaderOptions(
    const TuneOptions& options) {
  PipelineLoaderOptions loader = {.command = options.worker_command};
  absl::StatusOr<InputSizes> sizes = ParseInputSizes(options.input_sizes);
  if (!sizes.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--input_sizes=", options.input_sizes, ": ", sizes.status().message()));
  }
  loader.input_sizes = *std::move(sizes);
  return loader;
}

TargetUse UseOf(const TuneOptions& options) {
  if (options.pipeline.empty()) return TargetUse::kNetworks;
  return options.trials == 0 ? TargetUse::kNothing : TargetUse::kPipelines;
}

}  // namespace

absl::StatusOr<TuneResult> RunTuneJob(const TuneOptions& options,
                                      const TuneCallbacks& callbacks) {
  RETURN_IF_ERROR(CheckTuneOptions(options));
  ASSIGN_OR_RETURN(const TargetSpec target,
                   LoadTarget(options.target, options.threads, UseOf(options)));
  if (!options.pipeline.empty()) {
    const std::string name = FileStem(options.pipeline);
    ASSIGN_OR_RETURN(PipelineLoaderOptions loader, LoaderOptions(options));
    ASSIGN_OR_RETURN(
        const Workload workload,
        LoadPipelineFile(ResolveUserPath(options.pipeline), name, loader));
    ASSIGN_OR_RETURN(OutputFolder folder,
                     OpenFolder(options, {{.workload = workload}}, target));
    return TuneJob(options, callbacks, target, std::move(folder))
        .TunePipeline(name, workload);
  }
  ASSIGN_OR_RETURN(std::vector<NetworkJob> jobs,
                   LoadNetworkJobs(options, target));
  ASSIGN_OR_RETURN(OutputFolder folder,
                   OpenFolder(options, TuningTasks(jobs), target));
  return TuneJob(options, callbacks, target, std::move(folder))
      .TuneNetworks(std::move(jobs));
}

}  // namespace pruner
