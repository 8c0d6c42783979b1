#include "halide_ext/plugin/tune_pipeline.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "halide_ext/build/pipeline_bytes.h"
#include "halide_ext/plugin/draft_schedule.h"
#include "halide_ext/plugin/first_that_passes.h"
#include "halide_ext/plugin/plugin_target.h"
#include "halide_ext/runner/task_oracles.h"
#include "halide_ext/runner/verify_winner.h"
#include "halide_ext/runner/worker_measurer.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/program_path.h"
#include "pruner/base/status_macros.h"
#include "pruner/record/best_records.h"
#include "pruner/record/fastest_records.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record_log.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/search/initialization.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/policy_table.h"
#include "pruner/search/search_policy.h"
#include "pruner/target/device_available.h"
#include "pruner/target/target_key.h"
#include "pruner/tune/cost_models.h"
#include "pruner/tune/policy_models.h"
#include "pruner/tune/progress_line.h"
#include "pruner/tune/task_scheduler.h"
#include "pruner/tune/tune.h"
#include "pruner/tune/tuning_progress.h"

namespace pruner {
namespace {

// Pipelines are larger than a network's kernels, and what comes out of this is
// compiled once more in any case.
constexpr absl::Duration kCompileTimeout = absl::Seconds(30);

// So many of the fastest are compared on other inputs until one is right.
constexpr size_t kFinalists = 4;

// Beside this program, as it is installed, or where Bazel builds it.
std::string NetworkProgram() {
  const std::string folder = DirectoryOf(ProgramPath());
  std::string installed = absl::StrCat(folder, "/network_worker");
  if (FileExists(installed)) return installed;
  std::string built = absl::StrCat(folder, "/../../pruner/pacm/network_worker");
  return FileExists(built) ? built : installed;
}

CostModelOptions CostModelOf(const proto::ScheduleRequest& request,
                             const PolicyEntry& policy) {
  return {.name = CostModelNameFor(policy, request.cost_model()),
          .network_program = NetworkProgram(),
          .pretrained = kAutoPretrained,
          .seed = request.seed()};
}

absl::Status ForParameter(absl::string_view name, const absl::Status& status) {
  if (status.ok()) return status;
  return {status.code(),
          absl::StrCat("autoscheduler.", name, ": ", status.message())};
}

WorkerMeasurer::Options MeasurerOptions(const TargetSpec& target, uint64_t seed,
                                        const TempDirectory& scratch) {
  return {.command = {"/proc/self/exe", kMeasureArgument},
          .target = RunnableHere(target),
          .workers = CpuCount(),
          .threads = static_cast<int>(target.units.cores),
          .seed = seed,
          .large_outputs_only = true,
          .scratch_directory = scratch.path(),
          .compile_timeout = kCompileTimeout};
}

// Shows the progress of a search and keeps the fastest of its candidates.
class FastestTrials : public TuningListener {
 public:
  FastestTrials(absl::Span<const MeasureRecord> earlier,
                const std::function<void(absl::string_view)>& say)
      : progress_(RealClock(), {}, say) {
    for (const MeasureRecord& record : earlier) fastest_.Add(record);
  }

  void OnProgress(const TuningProgress& progress) override {
    fastest_.Add(progress.last);
    progress_.OnProgress(progress);
  }
  void OnRace(const RaceProgress& progress) override {
    progress_.OnRace(progress);
  }

  void Finish() { progress_.Finish(); }
  // The best one and then the others.
  std::vector<Schedule> BestFirst(const MeasureRecord& best) const {
    std::vector<Schedule> schedules = {best.schedule};
    for (const MeasureRecord& record : fastest_.Of(RecordKeyOf(best))) {
      if (record.schedule != best.schedule)
        schedules.push_back(record.schedule);
    }
    return schedules;
  }

 private:
  ProgressLine progress_;
  FastestRecords fastest_{kFinalists};
};

absl::StatusOr<std::optional<Schedule>> FastestOf(
    const WorkloadRecords& records) {
  if (records.best) return records.best->schedule;
  if (!records.first_failure) return std::nullopt;
  return absl::InternalError(
      absl::StrCat("of the ", records.trials,
                   " candidates measured none is valid; the "
                   "first failure: ",
                   FailureKindName(records.first_failure->kind), ": ",
                   records.first_failure->message));
}

absl::StatusOr<TuningOutcome> Search(
    const TuningTask& task, const TargetSpec& target,
    const proto::ScheduleRequest& request,
    const WorkerMeasurer::Options& options,
    absl::Span<const MeasureRecord> earlier, RecordLog* log,
    FastestTrials& trials, const std::function<void(absl::string_view)>& say) {
  ASSIGN_OR_RETURN(const std::unique_ptr<WorkerMeasurer> measurer,
                   WorkerMeasurer::Create(options));
  ASSIGN_OR_RETURN(const PolicyEntry* policy, FindPolicy(request.policy()));
  ASSIGN_OR_RETURN(
      const std::unique_ptr<PolicyModels> models,
      PolicyModels::For(*policy, target, CostModelOf(request, *policy)));
  RoundRobinScheduler scheduler;
  // So that no trials end with something worse than none.
  const absl::StatusOr<Proposal> draft =
      DraftSchedule(task, target, request.seed());
  const absl::Duration time_limit = absl::Seconds(request.time_limit_seconds());
  const absl::Duration end = RealClock().Elapsed() + time_limit;
  TaskOracles oracles(*measurer, {.is_unwanted = [end] {
    return RealClock().Elapsed() >= end;
  }});
  const TuningTools tools = {
      .target = target,
      .measurer = *measurer,
      .scheduler = scheduler,
      .make_policy =
          [&](const TuningTask& tuned) {
            PolicyInputs inputs = {
                .context = ContextOf(tuned, target),
                .seed = request.seed(),
                .initialization = {.init = Init::kAuto,
                                   .make_oracle =
                                       [&](ScheduleSpace& space) {
                                         return oracles.For(
                                             tuned.workload,
                                             tuned.measure_policy, space);
                                       },
                                   .task_trials = request.trials(),
                                   .say = say}};
            inputs.context.timed = true;
            if (draft.ok()) inputs.first = {*draft};
            models->AddTo(inputs);
            return policy->make(inputs);
          },
      .clock = RealClock(),
      .workers = measurer->options().workers,
      .log = log,
      .learner = models->learner(),
      .run = {.seed = request.seed(),
              .policy = request.policy(),
              .options = {{"cost_model", models->cost_model().name},
                          {"pretrained", models->cost_model().pretrained}},
              .halide = std::string(kHalideVersion),
              .host = HostName(),
              .time = RealClock().Now()},
      .listener = &trials};
  absl::StatusOr<TuningOutcome> outcome = Tune({task}, earlier, tools,
                                               {.trials = request.trials(),
                                                .time_limit = time_limit,
                                                .seed = request.seed()});
  trials.Finish();
  return outcome;
}

}  // namespace

absl::Status CheckSearch(const proto::ScheduleRequest& request,
                         const TargetSpec& target) {
  if (!request.record_log().empty()) {
    RETURN_IF_ERROR(
        ForParameter("record_log", RecordLog::Check(request.record_log())));
  }
  if (request.trials() == 0) return absl::OkStatus();
  const bool is_host = target.backend == Backend::kHost;
  const absl::Status device =
      is_host ? absl::OkStatus() : DeviceAvailable(target);
  if (!device.ok() || !MayRunHere(Halide::Target(target.halide_target))) {
    return absl::InvalidArgumentError(absl::StrCat(
        "autoscheduler.trials=", request.trials(),
        ": this machine cannot run code for ", target.halide_target,
        device.ok() ? "" : absl::StrCat(" (", device.message(), ")"),
        ", so nothing can be timed; leave trials out"));
  }
  if (is_host && request.parallelism() > CpuCount()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "autoscheduler.trials=", request.trials(), " with parallelism=",
        request.parallelism(), ": this process may use ", CpuCount(),
        " cores, so the timings would mean nothing; lower parallelism or "
        "leave trials out"));
  }
  const auto policy = FindPolicy(request.policy());
  RETURN_IF_ERROR(ForParameter("policy", policy.status()));
  const CostModelOptions cost_model = CostModelOf(request, **policy);
  RETURN_IF_ERROR(
      ForParameter("cost_model", CheckModelsOf(**policy, cost_model)));
  return ForParameter("cost_model", CheckNetworkProgram(cost_model));
}

absl::StatusOr<std::optional<Schedule>> TunePipeline(
    const TuningTask& task, const TargetSpec& target,
    const proto::ScheduleRequest& request,
    const std::function<void(absl::string_view)>& say) {
  const std::string& path = request.record_log();
  const RecordKey key = RecordKeyOf(task, TargetKeyOf(target));
  if (request.trials() == 0) {
    if (path.empty() || !FileExists(path)) return std::nullopt;
    ASSIGN_OR_RETURN(const LogContents contents, ReadRecordLog(path));
    return FastestOf(BestRecords(contents.records).Of(key));
  }
  std::optional<RecordLog::Opened> log;
  if (!path.empty()) {
    ASSIGN_OR_RETURN(log, RecordLog::Open(path));
  }
  const std::vector<MeasureRecord> earlier =
      log ? log->contents.records : std::vector<MeasureRecord>();
  ASSIGN_OR_RETURN(const TempDirectory scratch, TempDirectory::Create());
  const WorkerMeasurer::Options options =
      MeasurerOptions(target, request.seed(), scratch);
  FastestTrials trials(earlier, say);
  WorkloadRecords records = BestRecords(earlier).Of(key);
  // Whose trials were done before has the same schedule each time.
  if (records.trials < request.trials()) {
    const absl::StatusOr<TuningOutcome> outcome =
        Search(task, target, request, options, earlier,
               log ? &log->log : nullptr, trials, say);
    const absl::Status& broken =
        outcome.ok() ? outcome->tasks[0].problem : outcome.status();
    if (!broken.ok()) return absl::InternalError(broken.message());
    records = outcome->tasks[0].records;
  }
  if (!records.best) return FastestOf(records);
  return FirstThatPasses(
      trials.BestFirst(*records.best),
      [&](const Schedule& schedule) {
        return VerifyWinner(options, task.workload, task.measure_policy,
                            schedule);
      },
      say);
}

}  // namespace pruner
