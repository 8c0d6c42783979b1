#include "models/job/search_tasks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "halide_ext/build/pipeline_bytes.h"
#include "halide_ext/runner/task_oracles.h"
#include "halide_ext/runner/worker_measurer.h"
#include "models/job/folder_entry.h"
#include "models/job/open_log.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/huge_memory.h"
#include "pruner/base/status_macros.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/record/best_records.h"
#include "pruner/record/record_log.h"
#include "pruner/sample/sampling.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/search/initialization.h"
#include "pruner/search/policy_table.h"
#include "pruner/target/target_key.h"
#include "pruner/tune/draft_tasks.h"
#include "pruner/tune/policy_models.h"
#include "pruner/tune/progress_line.h"
#include "pruner/tune/task_scheduler.h"

namespace pruner {
namespace {

// Trials of these tasks, as Tune counts them.
int64_t DoneTrials(absl::Span<const TuningTask> tasks, const TargetSpec& target,
                   const LogContents& log) {
  std::set<RecordKey> keys;
  for (const TuningTask& task : tasks)
    keys.insert(RecordKeyOf(task, TargetKeyOf(target)));
  return std::count_if(
      log.records.begin(), log.records.end(), [&](const MeasureRecord& record) {
        return !record.race && keys.contains(RecordKeyOf(record));
      });
}

// As it was measured for the log's first run, so that a run that goes on
// decides as one that was never stopped.
double PeakGflops(const TargetSpec& target, const LogContents& log) {
  const auto logged = log.targets.find(TargetKeyOf(target));
  return (logged == log.targets.end() ? target : logged->second)
      .peaks.fp32_gflops;
}

void TellOfProblems(const TuningOutcome& outcome,
                    const TuneCallbacks& callbacks) {
  for (const TaskOutcome& task : outcome.tasks) {
    if (!task.problem.ok()) {
      callbacks.say(
          absl::StrCat(task.name, " was set aside: ", task.problem.message()));
    }
  }
}

using InitializationFactory = std::function<Initialization(const TuningTask&)>;

absl::StatusOr<std::unique_ptr<WorkerMeasurer>> MakeMeasurer(
    const TuneOptions& options, const TargetSpec& target,
    OutputFolder& folder) {
  ASSIGN_OR_RETURN(std::string scratch, folder.scratch());
  const int threads = static_cast<int>(target.units.cores);
  return WorkerMeasurer::Create(
      {.command = options.worker_command,
       .target = target,
       // As many candidates as a round has.
       .workers = std::min(threads, options.round_trials),
       .threads = threads,
       .seed = options.seed,
       .scratch_directory = std::move(scratch),
       .compile_timeout = options.compile_timeout,
       .run_timeout = options.run_timeout});
}

void SayWhatIsTuned(const TuneCallbacks& callbacks,
                    absl::Span<const TuningTask> tasks,
                    absl::Span<const std::string> what,
                    const TargetSpec& target, const std::string& log) {
  for (const std::string& line : what) callbacks.say(line);
  callbacks.say(absl::StrCat(target.name, ", ", target.units.cores,
                             " threads; records in ", log));
  const bool is_cold =
      std::any_of(tasks.begin(), tasks.end(), [](const TuningTask& task) {
        return task.measure_policy != MeasurePolicy::kWarm;
      });
  if (is_cold && !HasHugePages()) {
    callbacks.say(
        "note: the system gives no huge pages "
        "(/sys/kernel/mm/transparent_hugepage/enabled says never); reading "
        "constants takes longer in small ones");
  }
  for (const TuningTask& task : tasks) {
    for (const std::string& note : task.workload.notes) {
      callbacks.say(absl::StrCat("note on ", task.workload.name, ": ", note));
    }
  }
}

// What the user gave, and what chose the candidates by default, which may be
// another in another version.
std::vector<std::pair<std::string, std::string>> OptionsOf(
    const TuneOptions& options, const PolicyEntry& policy,
    const CostModelOptions& cost_model) {
  auto all = options.given;
  const auto set = [&](const std::string& name, const std::string& value) {
    const auto given = absl::c_find_if(
        all, [&](const auto& option) { return option.first == name; });
    if (given == all.end()) {
      all.emplace_back(name, value);
    } else {
      given->second = value;  // what was given as nothing is the default too
    }
  };
  set("scheduler", options.scheduler);
  if (policy.needs_cost_model) {
    set("cost_model", cost_model.name);
    set("pretrained", cost_model.pretrained);
  }
  return all;
}

// Where the search of each task begins. What is asked for and cannot be is the
// user's to know before anything is measured.
absl::StatusOr<InitializationFactory> InitializationsOf(
    const TuneOptions& options, const TuneCallbacks& callbacks,
    size_t num_tasks, TaskOracles& oracles) {
  ASSIGN_OR_RETURN(const Init init, ParseInit(options.init));
  if (init == Init::kHardwareAware) {
    if (const absl::Status started = oracles.Start(); !started.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--init=", options.init, ": ", started.message()));
    }
  }
  const int64_t task_trials = std::min(
      options.task_trials, options.trials / static_cast<int64_t>(num_tasks));
  return [&oracles, &callbacks, init, task_trials](const TuningTask& task) {
    return Initialization{
        .init = init,
        .make_oracle =
            [&oracles, &task](ScheduleSpace& space) {
              return oracles.For(task.workload, task.measure_policy, space);
            },
        .task_trials = task_trials,
        .say =
            [&callbacks, &task](absl::string_view sentence) {
              callbacks.say(
                  absl::StrCat("note on ", task.workload.name, ": ", sentence));
            }};
  };
}

absl::StatusOr<TuningOutcome> Search(
    const TuneOptions& options, const TuneCallbacks& callbacks,
    absl::Span<const TuningTask> tasks, const TargetSpec& target,
    WorkerMeasurer& measurer, TaskOracles& oracles, RecordLog::Opened& log) {
  ASSIGN_OR_RETURN(const PolicyEntry* policy, FindPolicy(options.policy));
  ASSIGN_OR_RETURN(const Sampling sampling, ParseSampling(options.sampling));
  ASSIGN_OR_RETURN(const std::unique_ptr<PolicyModels> models,
                   PolicyModels::For(*policy, target, options.cost_model));
  ASSIGN_OR_RETURN(
      const std::unique_ptr<TaskScheduler> scheduler,
      SchedulerOf(options, PeakGflops(target, log.contents) * 1e9));
  ASSIGN_OR_RETURN(
      const InitializationFactory initialization_of,
      InitializationsOf(options, callbacks, tasks.size(), oracles));
  ProgressLine progress(
      RealClock(), {.terminal = options.terminal, .columns = options.columns},
      callbacks.show);
  const TuningTools tools = {
      .target = target,
      .measurer = measurer,
      .scheduler = *scheduler,
      .make_policy =
          [&](const TuningTask& task) {
            PolicyInputs inputs = {.context = ContextOf(task, target),
                                   .sampling = sampling,
                                   .seed = options.seed,
                                   .initialization = initialization_of(task)};
            models->AddTo(inputs);
            return policy->make(inputs);
          },
      .clock = RealClock(),
      .workers = measurer.options().workers,
      .log = &log.log,
      .learner = models->learner(),
      .run = {.seed = options.seed,
              .policy = options.policy,
              .options = OptionsOf(options, *policy, models->cost_model()),
              .halide = std::string(kHalideVersion),
              .host = HostName(),
              .time = RealClock().Now()},
      .listener = &progress,
      .interrupted = callbacks.interrupted};
  if (const int64_t done = DoneTrials(tasks, target, log.contents); done > 0)
    callbacks.say(absl::StrCat("going on after ", done, " trials"));
  ASSIGN_OR_RETURN(TuningOutcome outcome,
                   Tune(tasks, log.contents.records, tools,
                        {.trials = options.trials,
                         .task_trials = options.task_trials,
                         .time_limit = options.time_limit,
                         .round_trials = options.round_trials,
                         .race_candidates = options.race,
                         .second_timings = options.second_timings,
                         .seed = options.seed}));
  progress.Finish();
  TellOfProblems(outcome, callbacks);
  return outcome;
}

absl::StatusOr<TuningOutcome> DraftSchedules(const TuneOptions& options,
                                             const TuneCallbacks& callbacks,
                                             absl::Span<const TuningTask> tasks,
                                             const TargetSpec& target,
                                             const LogContents& earlier) {
  ASSIGN_OR_RETURN(const Sampling sampling, ParseSampling(options.sampling));
  ASSIGN_OR_RETURN(TuningOutcome outcome,
                   DraftTasks(tasks, earlier.records, target,
                              {.sampling = sampling, .seed = options.seed},
                              RealClock(), callbacks.interrupted));
  const auto drafted = absl::c_count_if(
      outcome.tasks,
      [](const TaskOutcome& task) { return task.drafted.has_value(); });
  callbacks.say(absl::StrFormat(
      "no trials: the draft model chose the schedules of %d of %d tasks, in "
      "%.1f s",
      drafted, tasks.size(), absl::ToDoubleSeconds(outcome.elapsed)));
  TellOfProblems(outcome, callbacks);
  return outcome;
}

}  // namespace

absl::StatusOr<FinishedSearch> SearchTasks(const TuneOptions& options,
                                           const TuneCallbacks& callbacks,
                                           absl::Span<const TuningTask> tasks,
                                           absl::Span<const std::string> what,
                                           const TargetSpec& target,
                                           OutputFolder& folder) {
  ASSIGN_OR_RETURN(RecordLog::Opened log,
                   OpenLog(options, callbacks, tasks, target, folder));
  SayWhatIsTuned(callbacks, tasks, what, target, log.log.path());
  FinishedSearch search;
  if (options.trials == 0) {
    ASSIGN_OR_RETURN(search.outcome, DraftSchedules(options, callbacks, tasks,
                                                    target, log.contents));
    return search;
  }
  ASSIGN_OR_RETURN(search.measurer, MakeMeasurer(options, target, folder));
  const absl::Duration start = RealClock().Elapsed();
  TaskOracles oracles(
      *search.measurer,
      {.cache = folder.File(absl::StrCat(kOwnFolder, "/answers")),
       .is_unwanted = [&] {
         return callbacks.interrupted() ||
                RealClock().Elapsed() - start >= options.time_limit;
       }});
  ASSIGN_OR_RETURN(search.outcome, Search(options, callbacks, tasks, target,
                                          *search.measurer, oracles, log));
  if (const absl::Duration looking = oracles.elapsed();
      looking > absl::ZeroDuration()) {
    callbacks.say(absl::StrFormat(
        "looking at candidates before they were measured took %.1f s, %.1f %% "
        "of the search",
        absl::ToDoubleSeconds(looking),
        100 * absl::FDivDuration(looking, search.outcome.elapsed)));
  }
  return search;
}

std::string WhyNothingIsValid(const TuningOutcome& outcome) {
  constexpr int kShown = 3;
  std::string failures;
  int shown = 0;
  for (const TaskOutcome& task : outcome.tasks) {
    if (task.records.best) return "";
    const std::optional<Failure>& first = task.records.first_failure;
    if (!first || shown == kShown) continue;
    ++shown;
    absl::StrAppend(&failures, failures.empty() ? "" : "; ", task.name, ": ",
                    FailureKindName(first->kind), ": ", first->message);
  }
  if (shown == 0) return "";
  return absl::StrCat("of the ", outcome.trials,
                      " candidates measured none is valid, so there is "
                      "nothing to use; the first failures: ",
                      failures);
}

}  // namespace pruner
