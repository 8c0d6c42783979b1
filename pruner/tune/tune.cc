#include "pruner/tune/tune.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
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
#include "pruner/record/run_info.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/search/search_policy.h"
#include "pruner/target/target_key.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/distinct_tasks.h"
#include "pruner/tune/learner.h"
#include "pruner/tune/rounds.h"
#include "pruner/tune/run_log.h"
#include "pruner/tune/slot_history.h"
#include "pruner/tune/task_scheduler.h"
#include "pruner/tune/task_state.h"
#include "pruner/tune/timing_again.h"
#include "pruner/tune/tuning_options.h"
#include "pruner/tune/tuning_progress.h"
#include "pruner/tune/tuning_task.h"
#include "pruner/tune/unfinished_round.h"
#include "pruner/workload/similarity_tag.h"
#include "pruner/workload/workload.h"

namespace pruner {
namespace {

// So many rounds every task is to have before the trials are used up.
constexpr int kMinRounds = 2;

// The search for one of the distinct tasks.
struct Search {
  std::unique_ptr<SearchPolicy> policy = nullptr;  // null if it has a problem
  absl::Status problem = absl::OkStatus();
  std::optional<double> default_seconds = std::nullopt;
  bool exhausted = false;
  std::string similarity_tag = {};
  double stream_seconds = 0;  // see TaskState
  double spent_seconds = 0;   // on trials

  bool HasMore() const { return !exhausted && problem.ok(); }
};

RunInfo InfoOf(const TuningTools& tools, const TuningOptions& options) {
  RunInfo info = tools.run;
  info.seed = options.seed;
  info.time = tools.clock.Now();
  return info;
}

// What the task's constants take from memory; 0 if it is unknown how fast that
// is.
double StreamSeconds(const TuningTask& task, const TargetSpec& target) {
  constexpr double kGiga = 1e9;
  return target.peaks.dram_gb_per_s > 0
             ? static_cast<double>(task.StreamedBytes()) /
                   (kGiga * target.peaks.dram_gb_per_s)
             : 0;
}

class Run {
 public:
  Run(const TuningTools& tools, const TuningOptions& options)
      : tools_(tools),
        options_(options),
        target_(TargetKeyOf(tools.target)),
        log_(tools.log, InfoOf(tools, options), tools.target),
        again_(options.race_candidates, options.second_timings),
        start_(tools.clock.Elapsed()) {}

  absl::Status AddTasks(absl::Span<const TuningTask> tasks);
  // The records must outlive the run.
  void AddEarlier(absl::Span<const MeasureRecord> records);
  absl::StatusOr<TuningEnd> RunRounds();
  // Whether it was interrupted.
  absl::StatusOr<bool> TimeAgain();
  TuningOutcome Outcome(TuningEnd end) const;

 private:
  absl::Status RunRound(size_t index);
  // Measures what is left of the round in which an earlier run ended.
  absl::Status FinishRound();
  // The candidates of the task's round, or what is left to do of it, as they
  // were chosen before the last `unseen` of its trials, of which the policy
  // does not know; none if that failed or there are none.
  absl::StatusOr<std::vector<Proposal>> Propose(size_t index, size_t unseen);
  // Measures the proposals and records the results, until it is time to stop.
  absl::Status MeasureAll(size_t index, const std::vector<Proposal>& proposals,
                          bool race);
  void Count(size_t index, const MeasureRecord& record);
  // The search, and the model that all share, learn from a trial.
  void Observe(size_t index, const MeasureRecord& record);
  absl::Status Keep(size_t index, const Proposal& proposal,
                    const MeasureResult& result, bool race);

  absl::Duration Elapsed() const { return tools_.clock.Elapsed() - start_; }
  bool Interrupted() const {
    return tools_.interrupted && tools_.interrupted();
  }
  bool TimeIsOver() const { return Elapsed() >= options_.time_limit; }
  bool IsOver() const { return Interrupted() || TimeIsOver(); }
  bool HasMore(size_t index) const {
    return searches_[index].HasMore() &&
           records_.Of(distinct_.tasks[index].key).trials <
               options_.task_trials;
  }
  // Why no further candidate is to be proposed, if so.
  std::optional<TuningEnd> End() const;
  TuningState State() const;
  TuningProgress Progress(const MeasureRecord& last,
                          const std::string& task) const;

  const TuningTools& tools_;
  const TuningOptions& options_;
  const TargetKey target_;
  RunLog log_;
  absl::Span<const TuningTask> given_;
  DistinctTasks distinct_;
  std::vector<Search> searches_;  // of the distinct tasks
  std::map<RecordKey, size_t> task_of_;
  BestRecords records_;
  TimingAgain again_;
  std::map<int, SlotHistory> histories_;  // by the slot of a task's turns
  Rounds rounds_ = Rounds(1);
  UnfinishedRound unfinished_;
  const absl::Duration start_;
  int64_t done_ = 0;
  int64_t new_trials_ = 0;
  absl::Duration measuring_, proposing_, training_;
};

absl::Status Run::AddTasks(absl::Span<const TuningTask> tasks) {
  if (tasks.empty()) {
    return absl::InvalidArgumentError("there are no tasks to tune");
  }
  given_ = tasks;
  distinct_ = DistinctTasksOf(tasks, target_);
  const auto num_tasks = static_cast<int64_t>(distinct_.tasks.size());
  const auto round_trials = static_cast<int>(std::clamp<int64_t>(
      options_.trials / (kMinRounds * num_tasks), 1, options_.round_trials));
  rounds_ = Rounds(round_trials);
  for (const DistinctTask& distinct : distinct_.tasks) {
    const TuningTask& task = *distinct.task;
    task_of_[distinct.key] = searches_.size();
    histories_.try_emplace(distinct.uses[0].slot, round_trials);
    Search& search = searches_.emplace_back();
    search.similarity_tag = SimilarityTag(task.workload.dag);
    search.stream_seconds = StreamSeconds(task, tools_.target);
    auto policy = tools_.make_policy(task);
    if (policy.ok()) {
      search.policy = *std::move(policy);
    } else {
      search.problem = policy.status();
    }
  }
  return absl::OkStatus();
}

void Run::AddEarlier(absl::Span<const MeasureRecord> records) {
  std::vector<UnfinishedRound::Trial> trials;
  for (const MeasureRecord& record : records) {
    log_.AddEarlier(record);
    const auto task = task_of_.find(RecordKeyOf(record));
    if (task == task_of_.end()) continue;
    Count(task->second, record);
    if (!record.race) trials.push_back({task->second, &record});
  }
  if (trials.empty()) return;
  const RecordKey& last = distinct_.tasks[trials.back().task].key;
  unfinished_ =
      UnfinishedRound(trials, rounds_.Begun(records_.Of(last).trials));
  for (const auto& [task, record] : trials) Observe(task, *record);
}

void Run::Count(size_t index, const MeasureRecord& record) {
  Search& search = searches_[index];
  records_.Add(record);
  again_.Add(record);
  if (!record.race) {
    ++done_;
    search.spent_seconds += TrialSeconds(record.result, tools_.workers);
    std::optional<double> seconds;
    if (record.result.ok()) seconds = Cost(record.result);
    histories_.at(distinct_.tasks[index].uses[0].slot).Add(seconds);
  }
  if (search.policy == nullptr) return;
  if (record.result.ok() && (record.race || !search.default_seconds) &&
      record.schedule == search.policy->DefaultSchedule()) {
    search.default_seconds = Cost(record.result);
  }
}

void Run::Observe(size_t index, const MeasureRecord& record) {
  if (tools_.learner != nullptr) {
    const DistinctTask& distinct = distinct_.tasks[index];
    tools_.learner->Add(distinct.key.workload.value,
                        distinct.task->workload.dag, record.schedule,
                        record.result);
  }
  if (searches_[index].policy == nullptr) return;
  searches_[index].policy->Observe(
      {.schedule = record.schedule, .genes = record.genes}, record.result);
}

absl::StatusOr<TuningEnd> Run::RunRounds() {
  std::optional<TuningEnd> end = End();
  if (!end) {
    RETURN_IF_ERROR(FinishRound());
  }
  while (!(end = End())) {
    const std::optional<size_t> next = tools_.scheduler.Next(State());
    if (!next) return TuningEnd::kPlateau;
    RETURN_IF_ERROR(RunRound(*next));
  }
  return *end;
}

absl::StatusOr<std::vector<Proposal>> Run::Propose(size_t index,
                                                   size_t unseen) {
  if (tools_.learner != nullptr) {
    const absl::Duration since = tools_.clock.Elapsed();
    const absl::Status learned =
        tools_.learner->CatchUp([this] { return IsOver(); });
    training_ += tools_.clock.Elapsed() - since;
    if (absl::IsCancelled(learned) && IsOver()) return std::vector<Proposal>();
    RETURN_IF_ERROR(learned);
  }
  Search& search = searches_[index];
  const RecordKey& key = distinct_.tasks[index].key;
  const int64_t trials = records_.Of(key).trials - static_cast<int64_t>(unseen);
  const int64_t left = options_.trials - done_ + static_cast<int64_t>(unseen);
  const int64_t n =
      std::min({rounds_.Left(trials), left, options_.task_trials - trials});
  Rng rng = Rng(options_.seed).Fork(key.workload.value).Fork(trials);
  const absl::Duration since = tools_.clock.Elapsed();
  auto proposals = search.policy->Propose(static_cast<int>(n), rng);
  proposing_ += tools_.clock.Elapsed() - since;
  if (absl::IsCancelled(proposals.status()) && IsOver())
    return std::vector<Proposal>();
  if (!proposals.ok()) {
    search.problem = proposals.status();
    return std::vector<Proposal>();
  }
  search.exhausted = proposals->empty();
  return *std::move(proposals);
}

absl::Status Run::RunRound(size_t index) {
  ASSIGN_OR_RETURN(const std::vector<Proposal> proposals, Propose(index, 0));
  return proposals.empty() ? absl::OkStatus()
                           : MeasureAll(index, proposals, /*race=*/false);
}

// The policy, which is where it was when the round began, proposes the same
// again if seed and options are the same; what of it was measured is not
// measured again. If they are not, it is a round like others. A round for which
// less was found than there was room for may be followed by another.
absl::Status Run::FinishRound() {
  const size_t index = unfinished_.task();
  while (unfinished_.num_unseen() > 0 && HasMore(index)) {
    ASSIGN_OR_RETURN(std::vector<Proposal> proposals,
                     Propose(index, unfinished_.num_unseen()));
    unfinished_.Match(proposals, [&](const MeasureRecord& record) {
      Observe(index, record);
    });
    if (!proposals.empty()) return MeasureAll(index, proposals, /*race=*/false);
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> Run::TimeAgain() {
  RETURN_IF_ERROR(again_.Run(
      {.tasks = distinct_.tasks,
       .best = records_,
       .measure =
           [&](size_t index, const std::vector<Proposal>& candidates) {
             return MeasureAll(index, candidates, /*race=*/true);
           },
       .interrupted = [&] { return Interrupted(); },
       .listener =
           [&](size_t i, size_t count) {
             if (tools_.listener == nullptr) return;
             tools_.listener->OnRace({.task = static_cast<int>(i) + 1,
                                      .tasks = static_cast<int>(count),
                                      .network_seconds = NetworkSeconds(
                                          distinct_.tasks, records_)});
           }}));
  return Interrupted();
}

absl::Status Run::MeasureAll(size_t index,
                             const std::vector<Proposal>& proposals,
                             bool race) {
  const TuningTask& task = *distinct_.tasks[index].task;
  std::vector<Schedule> schedules;
  schedules.reserve(proposals.size());
  for (const Proposal& proposal : proposals)
    schedules.push_back(proposal.schedule);
  bool any = false;
  absl::Status kept;
  const auto is_over = [&] { return race ? Interrupted() : IsOver(); };
  absl::Duration since = tools_.clock.Elapsed();
  const absl::Status measured = tools_.measurer.Measure(
      task.workload, task.measure_policy, schedules,
      [&](size_t i, const MeasureResult& result) {
        measuring_ += tools_.clock.Elapsed() - since;
        any = true;
        kept = Keep(index, proposals[i], result, race);
        since = tools_.clock.Elapsed();
        return kept.ok() && !(race ? Interrupted() : End().has_value());
      },
      is_over);
  measuring_ += tools_.clock.Elapsed() - since;
  RETURN_IF_ERROR(kept);
  if (absl::IsCancelled(measured) && is_over()) return absl::OkStatus();
  RETURN_IF_ERROR(measured) << "while measuring " << task.workload.name;
  if (!any) {
    return absl::InternalError(
        absl::StrCat("measuring ", schedules.size(), " candidates of ",
                     task.workload.name, " gave no result at all"));
  }
  return absl::OkStatus();
}

absl::Status Run::Keep(size_t index, const Proposal& proposal,
                       const MeasureResult& result, bool race) {
  const DistinctTask& distinct = distinct_.tasks[index];
  const Workload& workload = distinct.task->workload;
  MeasureRecord record = {.workload = distinct.key.workload,
                          .target = target_,
                          .measure_policy = distinct.key.measure_policy,
                          .schedule = proposal.schedule,
                          .genes = proposal.genes,
                          .result = result,
                          .race = race,
                          .time = tools_.clock.Now()};
  RETURN_IF_ERROR(log_.Append(workload, record));
  Count(index, record);
  if (race) return absl::OkStatus();
  Observe(index, record);
  ++new_trials_;
  if (tools_.listener != nullptr)
    tools_.listener->OnProgress(Progress(record, workload.name));
  return absl::OkStatus();
}

std::optional<TuningEnd> Run::End() const {
  if (done_ >= options_.trials) return TuningEnd::kTrialsDone;
  if (Interrupted()) return TuningEnd::kInterrupted;
  if (TimeIsOver()) return TuningEnd::kTimeLimit;
  for (size_t i = 0; i < searches_.size(); ++i) {
    if (HasMore(i)) return std::nullopt;
  }
  return TuningEnd::kExhausted;
}

TuningState Run::State() const {
  TuningState state = {.histories = histories_};
  for (size_t i = 0; i < searches_.size(); ++i) {
    const DistinctTask& task = distinct_.tasks[i];
    const int64_t trials = records_.Of(task.key).trials;
    state.tasks.push_back(
        {.uses = task.uses,
         .flops = task.task->Flops(),
         .stream_seconds = searches_[i].stream_seconds,
         .similarity_tag = searches_[i].similarity_tag,
         .trials = trials,
         .trial_seconds = trials > 0 ? searches_[i].spent_seconds /
                                           static_cast<double>(trials)
                                     : 0,
         .best_seconds = BestSeconds(task, records_),
         .exhausted = !HasMore(i)});
  }
  return state;
}

TuningProgress Run::Progress(const MeasureRecord& last,
                             const std::string& task) const {
  TuningProgress progress = {
      .done = done_,
      .total = options_.trials,
      .elapsed = Elapsed(),
      .network_seconds = NetworkSeconds(distinct_.tasks, records_),
      .last = last,
      .task = task};
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
  TuningOutcome outcome = {
      .end = end,
      .trials = done_,
      .new_trials = new_trials_,
      .elapsed = Elapsed(),
      .network_seconds = NetworkSeconds(distinct_.tasks, records_),
      .measuring = measuring_,
      .proposing = proposing_,
      .training = training_};
  for (size_t i = 0; i < given_.size(); ++i) {
    const size_t index = distinct_.of_given[i];
    const RecordKey& key = distinct_.tasks[index].key;
    const Search& search = searches_[index];
    TaskOutcome& added = outcome.tasks.emplace_back();
    added.name = given_[i].workload.name;
    added.workload = key.workload;
    added.weight = given_[i].weight;
    added.records = records_.Of(key);
    added.default_seconds = search.default_seconds;
    added.exhausted = search.exhausted;
    added.problem = search.problem;
    if (search.policy != nullptr)
      added.rejections = search.policy->rejections();
  }
  return outcome;
}

}  // namespace

absl::StatusOr<TuningOutcome> Tune(absl::Span<const TuningTask> tasks,
                                   absl::Span<const MeasureRecord> earlier,
                                   const TuningTools& tools,
                                   const TuningOptions& options) {
  RETURN_IF_ERROR(CheckTuningOptions(options));
  Run run(tools, options);
  RETURN_IF_ERROR(run.AddTasks(tasks));
  run.AddEarlier(earlier);
  ASSIGN_OR_RETURN(TuningEnd end, run.RunRounds());
  const bool again = options.race_candidates > 0 || options.second_timings > 0;
  if (again && end != TuningEnd::kInterrupted) {
    ASSIGN_OR_RETURN(const bool interrupted, run.TimeAgain());
    if (interrupted) end = TuningEnd::kInterrupted;
  }
  return run.Outcome(end);
}

}  // namespace pruner
