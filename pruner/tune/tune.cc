#include "pruner/tune/tune.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/measure/measure_result.h"
#include "pruner/measure/measurer.h"
#include "pruner/record/best_records.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record_log.h"
#include "pruner/record/run_info.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/search/search_policy.h"
#include "pruner/target/target_key.h"
#include "pruner/tune/task_scheduler.h"
#include "pruner/tune/tuning_progress.h"
#include "pruner/tune/tuning_task.h"
#include "pruner/workload/workload.h"

namespace pruner {
namespace {

// So many rounds every task is to have before the trials are used up.
constexpr int kMinRounds = 2;

// A place in which a computation is used.
struct Use {
  int slot = 0;
  double weight = 1;
};

// A computation, whoever gave it.
struct Task {
  const TuningTask* task = nullptr;  // the first of those that are equal
  RecordKey key = {};                // of its records
  std::vector<Use> uses = {};        // of all of them
  std::unique_ptr<SearchPolicy> policy = nullptr;  // null if it has a problem
  absl::Status problem = absl::OkStatus();
  std::optional<double> default_seconds = std::nullopt;
  bool exhausted = false;

  bool HasMore() const { return !exhausted && problem.ok(); }
  double Weight() const {
    double weight = 0;
    for (const Use& use : uses) weight += use.weight;
    return weight;
  }
};

class Run {
 public:
  Run(const TuningTools& tools, const TuningOptions& options)
      : tools_(tools),
        options_(options),
        target_(TargetKeyOf(tools.target)),
        began_(tools.clock.Now()),
        start_(tools.clock.Elapsed()) {}

  absl::Status AddTasks(absl::Span<const TuningTask> tasks);
  void AddEarlier(const MeasureRecord& record);
  absl::StatusOr<TuningEnd> RunRounds();
  TuningOutcome Outcome(TuningEnd end) const;

 private:
  absl::Status RunRound(size_t index);
  // Measures the proposals and records the results, until it is time to stop.
  absl::Status MeasureAll(size_t index, const std::vector<Proposal>& proposals);
  // Learns from a record and counts it.
  void Count(Task& task, const MeasureRecord& record);
  absl::Status Keep(size_t index, const Proposal& proposal,
                    const MeasureResult& result);
  // Puts the record into the log, and before it what it names.
  absl::Status Log(const Workload& workload, MeasureRecord& record);

  absl::Duration Elapsed() const { return tools_.clock.Elapsed() - start_; }
  // A slot's number; a task without one has its own.
  int SlotOf(const TuningTask& task);
  int RoundTrials() const;
  // Why no further candidate is to be measured, if so.
  std::optional<TuningEnd> End() const;
  std::optional<double> BestSeconds(const Task& task) const;
  std::vector<TaskState> TaskStates() const;
  std::optional<double> NetworkSeconds() const;
  TuningProgress Progress(const Task& task, const MeasureRecord& last) const;

  const TuningTools& tools_;
  const TuningOptions& options_;
  const TargetKey target_;
  const absl::Time began_;
  const absl::Duration start_;
  absl::Span<const TuningTask> given_;
  std::vector<Task> tasks_;       // distinct
  std::vector<size_t> of_given_;  // by task given: its place in tasks_
  std::map<RecordKey, size_t> task_of_;
  std::map<int, int> slots_;  // by TuningTask::slot
  int num_slots_ = 0;
  BestRecords records_;
  int64_t done_ = 0;
  int64_t new_trials_ = 0;
  int64_t next_trial_ = 0;      // the number of the next record in the log
  std::optional<int64_t> run_;  // its id in the log, once it is there
  absl::Duration measuring_ = absl::ZeroDuration();
};

int Run::SlotOf(const TuningTask& task) {
  if (task.slot < 0) return num_slots_++;
  const auto [slot, is_new] = slots_.emplace(task.slot, num_slots_);
  if (is_new) ++num_slots_;
  return slot->second;
}

absl::Status Run::AddTasks(absl::Span<const TuningTask> tasks) {
  if (tasks.empty()) {
    return absl::InvalidArgumentError("there are no tasks to tune");
  }
  given_ = tasks;
  for (const TuningTask& task : tasks) {
    Task added = {.task = &task, .key = RecordKeyOf(task, target_)};
    const Use use = {.slot = SlotOf(task), .weight = task.weight};
    const auto [known, is_new] = task_of_.emplace(added.key, tasks_.size());
    of_given_.push_back(known->second);
    if (!is_new) {
      tasks_[known->second].uses.push_back(use);
      continue;
    }
    added.uses = {use};
    SketchContext context = {.dag = task.workload.dag, .target = tools_.target};
    if (task.measure_policy != MeasurePolicy::kWarm)
      context.cold_inputs = task.workload.constants;
    auto policy = tools_.make_policy(context);
    if (policy.ok()) {
      added.policy = *std::move(policy);
    } else {
      added.problem = policy.status();
    }
    tasks_.push_back(std::move(added));
  }
  return absl::OkStatus();
}

void Run::AddEarlier(const MeasureRecord& record) {
  next_trial_ = std::max(next_trial_, record.trial + 1);
  const auto task = task_of_.find(RecordKeyOf(record));
  if (task != task_of_.end()) Count(tasks_[task->second], record);
}

void Run::Count(Task& task, const MeasureRecord& record) {
  ++done_;
  records_.Add(record);
  if (task.policy == nullptr) return;
  task.policy->Observe({.schedule = record.schedule, .genes = record.genes},
                       record.result);
  if (record.result.ok() && !task.default_seconds &&
      record.schedule == task.policy->DefaultSchedule()) {
    task.default_seconds = Cost(record.result);
  }
}

absl::StatusOr<TuningEnd> Run::RunRounds() {
  std::optional<TuningEnd> end;
  while (!(end = End())) {
    RETURN_IF_ERROR(RunRound(tools_.scheduler.Next(TaskStates())));
  }
  return *end;
}

absl::Status Run::RunRound(size_t index) {
  Task& task = tasks_[index];
  const int64_t n = std::min<int64_t>(RoundTrials(), options_.trials - done_);
  Rng rng = Rng(options_.seed)
                .Fork(task.key.workload.value)
                .Fork(records_.Of(task.key).trials);
  const auto proposals = task.policy->Propose(static_cast<int>(n), rng);
  if (!proposals.ok()) {
    task.problem = proposals.status();
    return absl::OkStatus();
  }
  task.exhausted = proposals->empty();
  return task.exhausted ? absl::OkStatus() : MeasureAll(index, *proposals);
}

absl::Status Run::MeasureAll(size_t index,
                             const std::vector<Proposal>& proposals) {
  const Workload& workload = tasks_[index].task->workload;
  std::vector<Schedule> schedules;
  schedules.reserve(proposals.size());
  for (const Proposal& proposal : proposals)
    schedules.push_back(proposal.schedule);
  const int64_t before = new_trials_;
  absl::Status kept;
  absl::Duration since = tools_.clock.Elapsed();
  const absl::Status measured = tools_.measurer.Measure(
      workload, tasks_[index].task->measure_policy, schedules,
      [&](size_t i, const MeasureResult& result) {
        measuring_ += tools_.clock.Elapsed() - since;
        kept = Keep(index, proposals[i], result);
        since = tools_.clock.Elapsed();
        return kept.ok() && !End();
      });
  measuring_ += tools_.clock.Elapsed() - since;
  RETURN_IF_ERROR(kept);
  RETURN_IF_ERROR(measured) << "while measuring " << workload.name;
  if (new_trials_ == before) {
    return absl::InternalError(absl::StrCat("measuring ", schedules.size(),
                                            " candidates of ", workload.name,
                                            " gave no result at all"));
  }
  return absl::OkStatus();
}

absl::Status Run::Keep(size_t index, const Proposal& proposal,
                       const MeasureResult& result) {
  Task& task = tasks_[index];
  MeasureRecord record = {.workload = task.key.workload,
                          .target = target_,
                          .measure_policy = task.key.measure_policy,
                          .schedule = proposal.schedule,
                          .genes = proposal.genes,
                          .result = result,
                          .trial = next_trial_,
                          .time = tools_.clock.Now()};
  if (tools_.log != nullptr) {
    RETURN_IF_ERROR(Log(task.task->workload, record));
  }
  ++next_trial_;
  ++new_trials_;
  Count(task, record);
  if (tools_.listener != nullptr)
    tools_.listener->OnProgress(Progress(task, record));
  return absl::OkStatus();
}

absl::Status Run::Log(const Workload& workload, MeasureRecord& record) {
  if (!run_) {
    RunInfo info = tools_.run;
    info.seed = options_.seed;
    info.time = began_;
    ASSIGN_OR_RETURN(run_, tools_.log->BeginRun(info, tools_.target));
  }
  record.run = *run_;
  RETURN_IF_ERROR(tools_.log->AddWorkload(workload));
  return tools_.log->Append(record);
}

int Run::RoundTrials() const {
  const auto tasks = static_cast<int64_t>(tasks_.size());
  return static_cast<int>(std::clamp<int64_t>(
      options_.trials / (kMinRounds * tasks), 1, options_.round_trials));
}

std::optional<TuningEnd> Run::End() const {
  if (done_ >= options_.trials) return TuningEnd::kTrialsDone;
  if (tools_.interrupted && tools_.interrupted()) {
    return TuningEnd::kInterrupted;
  }
  if (Elapsed() >= options_.time_limit) return TuningEnd::kTimeLimit;
  const bool more =
      std::any_of(tasks_.begin(), tasks_.end(),
                  [](const Task& task) { return task.HasMore(); });
  if (more) return std::nullopt;
  return TuningEnd::kExhausted;
}

std::optional<double> Run::BestSeconds(const Task& task) const {
  const WorkloadRecords& records = records_.Of(task.key);
  if (!records.best) return std::nullopt;
  return Cost(records.best->result);
}

std::vector<TaskState> Run::TaskStates() const {
  std::vector<TaskState> states;
  states.reserve(tasks_.size());
  for (const Task& task : tasks_) {
    states.push_back({.weight = task.Weight(),
                      .slot = task.uses[0].slot,
                      .flops = task.task->Flops(),
                      .trials = records_.Of(task.key).trials,
                      .best_seconds = BestSeconds(task),
                      .exhausted = !task.HasMore()});
  }
  return states;
}

std::optional<double> Run::NetworkSeconds() const {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::map<int, double> of_slot;  // weighted
  for (const Task& task : tasks_) {
    const std::optional<double> best = BestSeconds(task);
    for (const Use& use : task.uses) {
      double& seconds = of_slot.try_emplace(use.slot, kNever).first->second;
      if (best) seconds = std::min(seconds, use.weight * *best);
    }
  }
  double sum = 0;
  for (const auto& [slot, seconds] : of_slot) sum += seconds;
  if (sum == kNever) return std::nullopt;
  return sum;
}

TuningProgress Run::Progress(const Task& task,
                             const MeasureRecord& last) const {
  TuningProgress progress = {.done = done_,
                             .total = options_.trials,
                             .elapsed = Elapsed(),
                             .network_seconds = NetworkSeconds(),
                             .last = last,
                             .task = task.task->workload.name};
  const double seconds = absl::ToDoubleSeconds(progress.elapsed);
  if (seconds > 0) {
    progress.trials_per_second = static_cast<double>(new_trials_) / seconds;
    const auto left = static_cast<double>(options_.trials - done_);
    progress.remaining = std::min(
        absl::Seconds(left / progress.trials_per_second),
        std::max(options_.time_limit - progress.elapsed, absl::ZeroDuration()));
  }
  return progress;
}

TuningOutcome Run::Outcome(TuningEnd end) const {
  TuningOutcome outcome = {.end = end,
                           .trials = done_,
                           .new_trials = new_trials_,
                           .elapsed = Elapsed(),
                           .network_seconds = NetworkSeconds()};
  if (outcome.elapsed > absl::ZeroDuration()) {
    outcome.overhead = 1 - absl::FDivDuration(measuring_, outcome.elapsed);
  }
  for (size_t i = 0; i < of_given_.size(); ++i) {
    const Task& task = tasks_[of_given_[i]];
    TaskOutcome& added = outcome.tasks.emplace_back();
    added.name = given_[i].workload.name;
    added.workload = task.key.workload;
    added.weight = given_[i].weight;
    added.records = records_.Of(task.key);
    added.default_seconds = task.default_seconds;
    added.exhausted = task.exhausted;
    added.problem = task.problem;
    if (task.policy != nullptr) added.rejections = task.policy->rejections();
  }
  return outcome;
}

absl::Status CheckOptions(const TuningOptions& options) {
  if (options.trials < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the number of trials is ", options.trials, "; it is 0 or more"));
  }
  if (options.round_trials < 1) {
    return absl::InvalidArgumentError(absl::StrCat("the trials of a round are ",
                                                   options.round_trials,
                                                   "; they are 1 or more"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TuningOutcome> Tune(absl::Span<const TuningTask> tasks,
                                   absl::Span<const MeasureRecord> earlier,
                                   const TuningTools& tools,
                                   const TuningOptions& options) {
  RETURN_IF_ERROR(CheckOptions(options));
  Run run(tools, options);
  RETURN_IF_ERROR(run.AddTasks(tasks));
  for (const MeasureRecord& record : earlier) run.AddEarlier(record);
  ASSIGN_OR_RETURN(const TuningEnd end, run.RunRounds());
  return run.Outcome(end);
}

}  // namespace pruner
