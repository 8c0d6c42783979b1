#include "pruner/tune/tune.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status_matchers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/record_file.h"
#include "pruner/measure/fake_measurer.h"
#include "pruner/measure/measurer.h"
#include "pruner/record/best_records.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record_log.h"
#include "pruner/tune/task_scheduler.h"
#include "pruner/tune/task_state.h"
#include "pruner/tune/tune_test_fixture.h"
#include "pruner/tune/tuning_progress.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::StatusIs;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(TuneTest, OfTasksThatShareASlotTheFastestCounts) {
  std::vector<TuningTask> tasks = {Conv(), Tiny(), Matmul()};
  tasks[0].slot = tasks[2].slot = 7;
  tasks[2].weight = tasks[0].weight;
  const auto outcome = Tune(tasks, {}, Tools(), {.trials = 120});
  ASSERT_THAT(outcome, IsOk());
  std::vector<double> best;
  for (const TaskOutcome& task : outcome->tasks) {
    ASSERT_TRUE(task.records.best.has_value());
    best.push_back(Cost(task.records.best->result));
  }
  EXPECT_DOUBLE_EQ(*outcome->network_seconds,
                   3 * std::min(best[0], best[2]) + best[1]);
}

TEST_F(TuneTest, SameSeedSameBytes) {
  const TuningOptions options = {.trials = 60, .seed = 5};
  const TuningOptions other = {.trials = 60, .seed = 6};
  measurer_.takes = absl::ZeroDuration();  // the clock stands still
  TuneLogged(Path("a"), {Conv(), Matmul()}, options);
  TuneLogged(Path("b"), {Conv(), Matmul()}, options);
  TuneLogged(Path("c"), {Conv(), Matmul()}, other);
  EXPECT_EQ(*ReadFile(Path("a")), *ReadFile(Path("b")));
  EXPECT_NE(ByWorkload(Records(Path("a"))), ByWorkload(Records(Path("c"))));
}

TEST_F(TuneTest, ReportsWhatItFound) {
  const TuningOutcome outcome =
      TuneLogged(Path("log"), {Conv(), Matmul()}, {.trials = 72});
  EXPECT_EQ(outcome.end, TuningEnd::kTrialsDone);
  EXPECT_EQ(outcome.trials, 72);
  EXPECT_EQ(outcome.new_trials, 72);
  EXPECT_EQ(outcome.elapsed, absl::Seconds(72));
  EXPECT_EQ(outcome.measuring, outcome.elapsed);

  const std::vector<MeasureRecord> records = Records(Path("log"));
  ASSERT_THAT(records, SizeIs(72));
  ExpectCountedAndDistinct(records);
  EXPECT_EQ(records[10].time, absl::UnixEpoch() + absl::Seconds(11));
  const BestRecords best(records);
  double network = 0;
  for (const TaskOutcome& task : outcome.tasks) {
    EXPECT_EQ(task.records.trials, 36);
    const WorkloadRecords& found =
        best.Of({.workload = task.workload, .target = TargetKeyOf(target_)});
    EXPECT_EQ(task.records.best, found.best);
    EXPECT_EQ(task.records.failures, found.failures);
    EXPECT_GT(task.records.failures.at(FailureKind::kCrash), 0);
    EXPECT_FALSE(task.exhausted);
    EXPECT_THAT(task.problem, IsOk());
    EXPECT_THAT(task.rejections, Not(IsEmpty()));
    network += task.weight * MeanSeconds(task.records.best->result);
  }
  EXPECT_EQ(outcome.network_seconds, network);
}

TEST_F(TuneTest, NeverWorseThanTheDefaultSchedule) {
  FakeMeasurer measurer;  // nothing fails
  const TuningTools tools = {.target = target_,
                             .measurer = measurer,
                             .scheduler = *scheduler_,
                             .make_policy = Tools().make_policy,
                             .clock = clock_};
  for (const int64_t trials : {2, 3, 50}) {
    const auto outcome =
        Tune({Conv(), Matmul()}, {}, tools, {.trials = trials});
    ASSERT_THAT(outcome, IsOk());
    for (const TaskOutcome& task : outcome->tasks) {
      ASSERT_TRUE(task.default_seconds.has_value());
      EXPECT_LE(Cost(task.records.best->result), *task.default_seconds);
    }
  }
}

TEST_F(TuneTest, RoundsTakeTurns) {
  TuneLogged(Path("log"), {Conv(), Matmul()}, {.trials = 40});
  std::string order;
  for (const MeasureRecord& record : Records(Path("log"))) {
    order += NameOf(record)[0];
  }
  EXPECT_EQ(order, "ccccmmmmccccccccmmmmmmmmccccccccmmmmmmmm");
}

// Takes turns, and looks at what it is told.
class Watcher : public RoundRobinScheduler {
 public:
  std::optional<size_t> Next(const TuningState& state) override {
    last = state;
    return RoundRobinScheduler::Next(state);
  }
  TuningState last;
};

TEST_F(TuneTest, TheSchedulerIsToldWhatTrialsTake) {
  auto watcher = std::make_unique<Watcher>();
  const TuningState& last = watcher->last;
  scheduler_ = std::move(watcher);
  TuneLogged(Path("log"), {Conv(), Matmul()}, {.trials = 24});
  ASSERT_THAT(last.tasks, SizeIs(2));
  // When the last round began.
  const std::map<std::string, const TaskState*> tasks = {
      {"conv", &last.tasks[0]}, {"matmul", &last.tasks[1]}};
  std::map<std::string, double> sums;
  std::map<std::string, int64_t> counts;
  for (const MeasureRecord& record : Records(Path("log"))) {
    const std::string name = NameOf(record);
    if (counts[name]++ == tasks.at(name)->trials) break;
    sums[name] += TrialSeconds(record.result, /*workers=*/1);
  }
  for (const auto& [name, task] : tasks) {
    EXPECT_GT(sums[name], 0);
    EXPECT_DOUBLE_EQ(task->trial_seconds * static_cast<double>(task->trials),
                     sums[name]);
  }
}

TEST_F(TuneTest, FewTrialsAreSharedOut) {
  const auto order = [&](int64_t trials) {
    const std::string path = Path(absl::StrCat("log", trials));
    TuneLogged(path, {Conv(), Matmul(), Tiny()}, {.trials = trials});
    std::string order;
    for (const MeasureRecord& record : Records(path)) {
      order += NameOf(record)[0];
    }
    return order;
  };
  EXPECT_EQ(order(2), "cm");
  EXPECT_EQ(order(5), "cmtcm");
  EXPECT_EQ(order(13), "cmtccmmttccmm");
}

TEST_F(TuneTest, OtherTasksDoNotMatter) {
  TuneLogged(Path("one"), {Conv()}, {.trials = 36});
  TuneLogged(Path("two"), {Matmul(), Conv()}, {.trials = 72});
  EXPECT_EQ(ByWorkload(Records(Path("one")))["conv"],
            ByWorkload(Records(Path("two")))["conv"]);
}

// All but the default schedule, which is nobody's candidate. Without them, or
// with those of another version, results count as before.
TEST_F(TuneTest, RecordsKeepTheGenes) {
  measurer_.takes = absl::ZeroDuration();
  TuneLogged(Path("log"), {Conv()}, {.trials = 24});
  std::vector<MeasureRecord> records = Records(Path("log"));
  ASSERT_THAT(records, SizeIs(24));
  EXPECT_EQ(records[0].genes, "");
  for (size_t i = 1; i < records.size(); ++i) {
    EXPECT_THAT(records[i].genes, HasSubstr(" #")) << i;
    records[i].genes = i % 2 == 0 ? "" : "skip #00000000 1 2 3";
  }
  const std::vector<TuningTask> tasks = {Conv()};
  const auto outcome = Tune(tasks, records, Tools(), {.trials = 40});
  ASSERT_THAT(outcome, IsOk());
  EXPECT_EQ(outcome->trials, 40);
  EXPECT_EQ(outcome->new_trials, 16);
}

TEST_F(TuneTest, TheLogTellsWhatItsRecordsAreOf) {
  clock_.Advance(absl::Hours(1));
  TuneLogged(Path("log"), {Conv(), Matmul()}, {.trials = 20, .seed = 5});
  clock_.Advance(absl::Hours(1));
  TuneLogged(Path("log"), {Matmul()}, {.trials = 20, .seed = 6});
  const LogContents log = *ReadRecordLog(Path("log"));
  EXPECT_THAT(log.notes, IsEmpty());
  ASSERT_THAT(log.runs, SizeIs(2));
  const RunInfo& first = log.runs.at(1).info;
  EXPECT_EQ(first.seed, 5);
  EXPECT_EQ(first.policy, "mutate");
  EXPECT_EQ(first.Option("model"), "test");
  EXPECT_EQ(first.host, "here");
  EXPECT_EQ(first.time, absl::UnixEpoch() + absl::Hours(1));
  EXPECT_EQ(log.runs.at(2).info.seed, 6);
  EXPECT_EQ(log.targets.at(TargetKeyOf(target_)), target_);
  for (const TuningTask& task : {Conv(), Matmul()}) {
    EXPECT_EQ(log.workloads.at(task.workload.key).pipeline,
              task.workload.pipeline);
  }
  // Each is written once, and nothing where nothing is measured.
  EXPECT_THAT(ReadRecordFile(Path("log"))->records,
              SizeIs(1 + 1 + 2 + 2 + log.records.size()));
}

TEST_F(TuneTest, RecordsOfOtherTargetsAndPoliciesDoNotCount) {
  const std::string path = Path("log");
  TuneLogged(path, {Conv()}, {.trials = 10});
  TargetSpec other = target_;
  other.units.cores = 64;
  const auto tune_otherwise = [&](const TargetSpec& target,
                                  MeasurePolicy measure_policy) {
    auto opened = RecordLog::Open(path);
    const TuningTools usual = Tools();
    const TuningTools tools = {.target = target,
                               .measurer = measurer_,
                               .scheduler = *scheduler_,
                               .make_policy = usual.make_policy,
                               .clock = clock_,
                               .log = &opened->log};
    TuningTask task = Conv();
    task.measure_policy = measure_policy;
    return *Tune({task}, opened->contents.records, tools,
                 {.trials = 5, .race_candidates = 0});
  };
  EXPECT_EQ(tune_otherwise(other, MeasurePolicy::kWarm).new_trials, 5);
  EXPECT_EQ(tune_otherwise(target_, MeasurePolicy::kMemory).new_trials, 5);
  EXPECT_EQ(tune_otherwise(target_, MeasurePolicy::kMemory).new_trials, 0);
  EXPECT_EQ(measurer_.policies,
            (std::set{MeasurePolicy::kWarm, MeasurePolicy::kMemory}));
  EXPECT_EQ(TuneLogged(path, {Conv()}, {.trials = 12}).new_trials, 2);
  const LogContents log = *ReadRecordLog(path);
  EXPECT_THAT(log.targets, SizeIs(2));
  ASSERT_THAT(log.records, SizeIs(22));
  for (size_t i = 0; i < log.records.size(); ++i)
    EXPECT_EQ(log.records[i].trial, static_cast<int64_t>(i));
  EXPECT_EQ(log.records[12].target, TargetKeyOf(other));
  EXPECT_EQ(log.records[17].measure_policy, "memory");
}

TEST_F(TuneTest, TheSameTaskUnderTwoPoliciesIsTwo) {
  TuningTask cold = Conv();
  cold.measure_policy = MeasurePolicy::kMemory;
  const TuningOutcome outcome =
      *Tune({Conv(), cold}, {}, Tools(), {.trials = 14});
  EXPECT_EQ(outcome.tasks[0].records.trials, 7);
  EXPECT_EQ(outcome.tasks[1].records.trials, 7);
}

TEST_F(TuneTest, WhatIsDoneIsDone) {
  TuneLogged(Path("log"), {Conv()}, {.trials = 10});
  const std::string bytes = *ReadFile(Path("log"));
  const TuningOutcome outcome =
      TuneLogged(Path("log"), {Conv()}, {.trials = 10});
  EXPECT_EQ(outcome.end, TuningEnd::kTrialsDone);
  EXPECT_EQ(outcome.new_trials, 0);
  EXPECT_TRUE(outcome.tasks[0].records.best.has_value());
  EXPECT_EQ(*ReadFile(Path("log")), bytes);
  // More trials go on from there; a task that is gone leaves its records
  // behind.
  EXPECT_EQ(TuneLogged(Path("log"), {Matmul()}, {.trials = 8}).new_trials, 8);
  EXPECT_EQ(TuneLogged(Path("log"), {Conv(), Matmul()}, {.trials = 30}).trials,
            30);
  EXPECT_THAT(Records(Path("log")), SizeIs(30));
  ExpectCountedAndDistinct(Records(Path("log")));
}

TEST_F(TuneTest, AnInterruptEndsItCleanly) {
  const TuningOutcome outcome =
      TuneLogged(Path("log"), {Conv(), Matmul()}, {.trials = 100}, 13);
  EXPECT_EQ(outcome.end, TuningEnd::kInterrupted);
  EXPECT_EQ(outcome.trials, 13);
  EXPECT_THAT(Records(Path("log")), SizeIs(13));
}

TEST_F(TuneTest, TheTimeLimitEndsItCleanly) {
  const TuningOutcome outcome =
      TuneLogged(Path("log"), {Conv(), Matmul()},
                 {.trials = 100, .time_limit = absl::Milliseconds(10'500)});
  EXPECT_EQ(outcome.end, TuningEnd::kTimeLimit);
  EXPECT_EQ(outcome.trials, 11);
  EXPECT_EQ(recorder_.events[3].remaining, absl::Milliseconds(6'500));
  EXPECT_EQ(recorder_.events[10].remaining, absl::ZeroDuration());
  EXPECT_EQ(
      TuneLogged(Path("none"), {Conv()}, {.time_limit = absl::ZeroDuration()})
          .trials,
      0);
}

TEST_F(TuneTest, ExhaustedTasksLeaveTheirTrialsToTheOthers) {
  TuningOutcome outcome =
      TuneLogged(Path("log"), {Tiny(), Conv()}, {.trials = 600});
  EXPECT_EQ(outcome.end, TuningEnd::kTrialsDone);
  EXPECT_TRUE(outcome.tasks[0].exhausted);
  EXPECT_LT(outcome.tasks[0].records.trials, 200);
  EXPECT_FALSE(outcome.tasks[1].exhausted);

  outcome = TuneLogged(Path("tiny"), {Tiny()}, {.trials = 600});
  EXPECT_EQ(outcome.end, TuningEnd::kExhausted);
  EXPECT_LT(outcome.trials, 600);
}

TEST_F(TuneTest, ATaskThatAlwaysFailsIsReported) {
  measurer_.fails = "conv";
  const TuningOutcome outcome =
      TuneLogged(Path("log"), {Conv(), Matmul()}, {.trials = 40});
  EXPECT_EQ(outcome.trials, 40);
  const TaskOutcome& conv = outcome.tasks[0];
  EXPECT_EQ(conv.records.trials, 20);
  EXPECT_EQ(conv.records.failures, (FailureCounts{{FailureKind::kCrash, 20}}));
  EXPECT_FALSE(conv.records.best.has_value());
  EXPECT_FALSE(conv.default_seconds.has_value());
  EXPECT_TRUE(outcome.tasks[1].records.best.has_value());
  EXPECT_FALSE(outcome.network_seconds.has_value());
}

TEST_F(TuneTest, TellsItsProgress) {
  TuneLogged(Path("log"), {Conv(), Matmul()}, {.trials = 40, .seed = 2});
  const std::vector<TuningProgress>& events = recorder_.events;
  ASSERT_THAT(events, SizeIs(40));
  EXPECT_EQ(events[9].done, 10);
  EXPECT_EQ(events[9].total, 40);
  EXPECT_EQ(events[9].elapsed, absl::Seconds(10));
  EXPECT_EQ(events[9].trials_per_second, 1);
  EXPECT_EQ(events[9].remaining, absl::Seconds(30));
  EXPECT_EQ(events[9].task, "conv");
  EXPECT_FALSE(events[3].network_seconds.has_value());
  ASSERT_TRUE(events[15].network_seconds.has_value());
  EXPECT_LT(events[39].network_seconds, events[15].network_seconds);
}

TEST_F(TuneTest, ABrokenPolicySetsItsTaskAside) {
  TuningTools tools = Tools();
  tools.make_policy = [&](const TuningTask& task)
      -> absl::StatusOr<std::unique_ptr<SearchPolicy>> {
    if (task.workload.key == Conv().workload.key) {
      return absl::InternalError("the rule slipped");
    }
    return Tools().make_policy(task);
  };
  const auto outcome = Tune({Conv(), Matmul()}, {}, tools, {.trials = 20});
  ASSERT_THAT(outcome, IsOk());
  EXPECT_EQ(outcome->trials, 20);
  EXPECT_EQ(outcome->tasks[0].problem.message(), "the rule slipped");
  EXPECT_EQ(outcome->tasks[1].records.trials, 20);
}

class BrokenMeasurer : public Measurer {
 public:
  absl::Status Measure(const Workload&, MeasurePolicy,
                       absl::Span<const Schedule>, const OnResult& on_result,
                       const IsUnwanted& is_unwanted) override {
    if (measuring) measuring();
    if (is_unwanted()) return absl::CancelledError("unwanted");
    if (result) on_result(0, *result);
    return status;
  }
  std::function<void()> measuring;
  absl::Status status;
  std::optional<MeasureResult> result;
};

TEST_F(TuneTest, AMeasurerThatCannotGoOnIsAnError) {
  BrokenMeasurer measurer;
  measurer.status = absl::UnavailableError("no worker");
  measurer.result = {.seconds = {1}};
  auto opened = RecordLog::Open(Path("log"));
  const TuningTools tools = {.target = target_,
                             .measurer = measurer,
                             .scheduler = *scheduler_,
                             .make_policy = Tools().make_policy,
                             .clock = clock_,
                             .log = &opened->log};
  EXPECT_THAT(Tune({Conv()}, {}, tools, {}),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("no worker; while measuring conv")));
  EXPECT_THAT(Records(Path("log")), SizeIs(1));
  measurer.status = absl::OkStatus();
  measurer.result.reset();
  EXPECT_THAT(Tune({Conv()}, {}, tools, {}),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("no result")));
}

// It may be waiting for a candidate, or for the reference, when somebody
// interrupts the run or its time is over.
TEST_F(TuneTest, NoCandidateIsWaitedForWhenTheSearchIsOver) {
  BrokenMeasurer measurer;
  bool interrupted = false;
  const TuningTools tools = {.target = target_,
                             .measurer = measurer,
                             .scheduler = *scheduler_,
                             .make_policy = Tools().make_policy,
                             .clock = clock_,
                             .interrupted = [&] { return interrupted; }};
  measurer.measuring = [&] { interrupted = true; };
  auto outcome = Tune({Conv()}, {}, tools, {});
  ASSERT_THAT(outcome, IsOk());
  EXPECT_EQ(outcome->end, TuningEnd::kInterrupted);
  EXPECT_EQ(outcome->new_trials, 0);

  interrupted = false;
  measurer.measuring = [&] { clock_.Advance(absl::Seconds(3)); };
  outcome = Tune({Conv()}, {}, tools, {.time_limit = absl::Seconds(2)});
  ASSERT_THAT(outcome, IsOk());
  EXPECT_EQ(outcome->end, TuningEnd::kTimeLimit);
  EXPECT_EQ(outcome->new_trials, 0);
  // Nobody asked for that.
  measurer.status = absl::CancelledError("cancelled");
  EXPECT_THAT(Tune({Conv()}, {}, tools, {}),
              StatusIs(absl::StatusCode::kCancelled));
}

// As in two networks: the first one's has its turns, both get what is found.
TEST_F(TuneTest, EqualTasksAreOneWithTheirJointWeight) {
  TuningTask again = Conv();
  again.workload.name = "conv_again";
  again.weight = 2;
  const auto outcome = Tune({Conv(), Matmul(), again}, {}, Tools(),
                            {.trials = 40, .round_trials = 8});
  ASSERT_THAT(outcome, IsOk());
  EXPECT_EQ(outcome->trials, 40);
  ASSERT_THAT(outcome->tasks, SizeIs(3));
  const TaskOutcome &conv = outcome->tasks[0], &twin = outcome->tasks[2];
  EXPECT_EQ(conv.records.trials, 20);
  EXPECT_EQ(twin.records.best, conv.records.best);
  EXPECT_EQ(twin.workload, conv.workload);
  EXPECT_EQ(twin.name, "conv_again");
  EXPECT_EQ(twin.weight, 2);
  EXPECT_NEAR(*outcome->network_seconds,
              5 * Cost(conv.records.best->result) +
                  Cost(outcome->tasks[1].records.best->result),
              1e-12);
}

TEST_F(TuneTest, ATaskHasNoMoreThanItsTrials) {
  const std::vector<TuningTask> tasks = {Conv(), Matmul()};
  const auto outcome =
      Tune(tasks, {}, Tools(),
           {.trials = 100, .task_trials = 11, .round_trials = 8});
  ASSERT_THAT(outcome, IsOk());
  EXPECT_EQ(outcome->trials, 22);
  EXPECT_EQ(outcome->end, TuningEnd::kExhausted);
  EXPECT_EQ(outcome->tasks[0].records.trials, 11);
  EXPECT_FALSE(outcome->tasks[0].exhausted);
  const auto shared = Tune(
      tasks, {}, Tools(), {.trials = 22, .task_trials = 11, .round_trials = 8});
  ASSERT_THAT(shared, IsOk());
  EXPECT_EQ(shared->end, TuningEnd::kTrialsDone);
  EXPECT_EQ(shared->tasks[1].records.trials, 11);
}

TEST_F(TuneTest, RefusesWhatMakesNoSense) {
  EXPECT_THAT(Tune({}, {}, Tools(), {}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tune({Conv()}, {}, Tools(), {.trials = -1}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tune({Conv()}, {}, Tools(), {.round_trials = 0}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tune({Conv()}, {}, Tools(), {.race_candidates = -1}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tune({Conv()}, {}, Tools(), {.second_timings = -1}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace pruner
