// The race with which a run of the tuner ends.
#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status_matchers.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/files.h"
#include "pruner/measure/fake_measurer.h"
#include "pruner/record/best_records.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "pruner/record/record_log.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/search/policy_table.h"
#include "pruner/target/sample_targets.h"
#include "pruner/tune/task_scheduler.h"
#include "pruner/tune/tune.h"
#include "pruner/tune/tune_test_fixture.h"
#include "pruner/workload/workload.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Takes a second for each candidate. When a schedule is measured again it takes
// `again` times as long as before; or all fail.
class LuckMeasurer : public Measurer {
 public:
  explicit LuckMeasurer(Clock& clock) : clock_(clock) {}

  absl::Status Measure(const Workload& workload, MeasurePolicy policy,
                       absl::Span<const Schedule> schedules,
                       const OnResult& on_result,
                       const IsUnwanted& is_unwanted) override {
    return fake_.Measure(
        workload, policy, schedules,
        [&](size_t i, const MeasureResult& result) {
          clock_.SleepFor(takes);
          const int time =
              ++times_[workload.name + PrintSchedule(schedules[i])];
          MeasureResult timed = Timed(schedules[i], result, time);
          const auto factor = disturbed.find(workload.name);
          if ((time == 2 || time == 3) && factor != disturbed.end()) {
            for (double& seconds : timed.seconds) seconds *= factor->second;
          }
          return on_result(i, timed);
        },
        is_unwanted);
  }

  // As if nothing had been measured.
  void Forget() { times_.clear(); }

  absl::Duration takes = absl::Seconds(1);
  // By the schedule's text; 1 if absent. The second is for the third time.
  std::map<std::string, double> again, in_run_off;
  // What all schedules of a workload take the second and third time, which is
  // in its race, by its name.
  std::map<std::string, double> disturbed;
  bool all_fail_again = false;

 private:
  MeasureResult Timed(const Schedule& schedule, MeasureResult result,
                      int time) const {
    if (time == 1) return result;
    if (all_fail_again) return FailedResult(FailureKind::kCrash, "");
    const std::string text = PrintSchedule(schedule);
    const auto late = time == 3 ? in_run_off.find(text) : in_run_off.end();
    const auto factor = again.find(text);
    for (double& seconds : result.seconds) {
      if (factor != again.end()) seconds *= factor->second;
      if (late != in_run_off.end()) seconds *= late->second;
    }
    return result;
  }

  Clock& clock_;
  FakeMeasurer fake_;
  std::map<std::string, int> times_;
};

class TuneRaceTest : public testing::Test {
 protected:
  std::string Path(absl::string_view name) { return directory_.File(name); }

  // Tunes with a log, going on where it ends.
  TuningOutcome TuneLogged(const std::string& path,
                           const std::vector<TuningTask>& tasks,
                           const TuningOptions& options) {
    auto opened = RecordLog::Open(path);
    EXPECT_THAT(opened, IsOk());
    recorder_ = {};
    const auto outcome =
        Tune(tasks, opened->contents.records,
             {.target = target_,
              .measurer = measurer_,
              .scheduler = scheduler_,
              .make_policy =
                  [this](const TuningTask& task) {
                    return (*FindPolicy("mutate"))
                        ->make({.context = ContextOf(task, target_)});
                  },
              .clock = clock_,
              .log = &opened->log,
              .listener = &recorder_,
              .interrupted = interrupted_},
             options);
    EXPECT_THAT(outcome, IsOk());
    return *outcome;
  }

  // The search's, or the races'.
  static std::vector<MeasureRecord> Records(const std::string& path,
                                            bool race) {
    std::vector<MeasureRecord> found;
    const std::vector<MeasureRecord> all = ReadRecordLog(path)->records;
    std::copy_if(
        all.begin(), all.end(), std::back_inserter(found),
        [&](const MeasureRecord& record) { return record.race == race; });
    return found;
  }

  TempDirectory directory_ = TempDirectory::Create().value();
  const TargetSpec target_ = SampleCpuTarget();
  FakeClock clock_;
  LuckMeasurer measurer_{clock_};
  RoundRobinScheduler scheduler_;
  Recorder recorder_;
  std::function<bool()> interrupted_;
};

std::vector<std::string> Texts(const std::vector<MeasureRecord>& records) {
  std::vector<std::string> texts;
  texts.reserve(records.size());
  for (const MeasureRecord& record : records)
    texts.push_back(PrintSchedule(record.schedule));
  return texts;
}

TEST_F(TuneRaceTest, LuckDoesNotWin) {
  const std::vector<TuningTask> tasks = {Conv()};
  const TuningOptions search = {.trials = 60, .race_candidates = 0};
  const TuningOutcome before = TuneLogged(Path("log"), tasks, search);
  const MeasureRecord lucky = *before.tasks[0].records.best;
  measurer_.again[PrintSchedule(lucky.schedule)] = 1.4;

  const TuningOutcome after = TuneLogged(Path("log"), tasks, {.trials = 60});
  const MeasureRecord winner = *after.tasks[0].records.best;
  EXPECT_NE(winner.schedule, lucky.schedule);
  EXPECT_TRUE(winner.race);
  EXPECT_GT(Cost(winner.result), Cost(lucky.result));
  EXPECT_LT(Cost(winner.result), 1.4 * Cost(lucky.result));
  EXPECT_DOUBLE_EQ(*after.network_seconds, 3 * Cost(winner.result));
  for (const MeasureRecord& raced : Records(Path("log"), /*race=*/true))
    EXPECT_LE(Cost(winner.result), Cost(raced.result));
  // Who reads the log finds the same.
  EXPECT_EQ(BestRecords(ReadRecordLog(Path("log"))->records)
                .Of(RecordKeyOf(winner))
                .best,
            winner);
}

// Whoever wins the race by luck has to win again.
TEST_F(TuneRaceTest, LuckInTheRaceDoesNotWin) {
  const std::vector<TuningTask> tasks = {Conv()};
  TuneLogged(Path("a"), tasks, {.trials = 60});
  const std::vector<MeasureRecord> raced = Records(Path("a"), /*race=*/true);
  const size_t last = raced.size() - 1;
  ASSERT_GE(last, 3);
  // The run-off is of the first two.
  const std::string first = PrintSchedule(raced[last - 1].schedule);
  EXPECT_EQ(first, PrintSchedule(raced[0].schedule));
  EXPECT_NE(first, PrintSchedule(raced[last].schedule));

  measurer_.Forget();
  measurer_.in_run_off[first] = 1.4;
  const TuningOutcome outcome = TuneLogged(Path("b"), tasks, {.trials = 60});
  const MeasureRecord winner = *outcome.tasks[0].records.best;
  EXPECT_EQ(winner, Records(Path("b"), /*race=*/true)[last]);
  EXPECT_EQ(winner.schedule, raced[last].schedule);
  EXPECT_DOUBLE_EQ(*outcome.network_seconds, 3 * Cost(winner.result));
}

// What disturbs a race ends no task with a schedule by chance.
TEST_F(TuneRaceTest, ADisturbedRaceIsRunAgain) {
  const std::vector<TuningTask> tasks = {Conv(), Matmul()};
  const TuningOutcome quiet = TuneLogged(Path("a"), tasks, {.trials = 72});
  ASSERT_THAT(recorder_.races, SizeIs(2));
  measurer_.Forget();
  measurer_.disturbed["matmul"] = 2;
  const TuningOutcome outcome = TuneLogged(Path("b"), tasks, {.trials = 72});
  ASSERT_THAT(recorder_.races, SizeIs(3));
  EXPECT_EQ(recorder_.races[2].task, 1);
  EXPECT_EQ(recorder_.races[2].tasks, 1);
  for (size_t i = 0; i < tasks.size(); ++i) {
    const MeasureRecord& winner = *outcome.tasks[i].records.best;
    const MeasureRecord& expected = *quiet.tasks[i].records.best;
    EXPECT_EQ(winner.schedule, expected.schedule);
    EXPECT_DOUBLE_EQ(Cost(winner.result), Cost(expected.result));
  }
}

TEST_F(TuneRaceTest, IsTheEndOfARunAndNoTrial) {
  const TuningOutcome outcome =
      TuneLogged(Path("log"), {Conv(), Matmul()}, {.trials = 60});
  const std::vector<MeasureRecord> all = ReadRecordLog(Path("log"))->records;
  const auto races = static_cast<int64_t>(all.size()) - 60;
  EXPECT_GE(races, 8);
  EXPECT_LE(races, 14);
  for (int64_t i = 0; i < 60 + races; ++i) {
    EXPECT_EQ(all[i].trial, i);
    EXPECT_EQ(all[i].race, i >= 60);
    EXPECT_EQ(all[i].run, 1);
  }
  EXPECT_EQ(outcome.end, TuningEnd::kTrialsDone);
  EXPECT_EQ(outcome.trials, 60);
  EXPECT_EQ(outcome.new_trials, 60);
  EXPECT_EQ(outcome.tasks[0].records.trials + outcome.tasks[1].records.trials,
            60);
  EXPECT_EQ(outcome.elapsed, absl::Seconds(60 + races));
  EXPECT_EQ(outcome.measuring, outcome.elapsed);
  EXPECT_THAT(recorder_.events, SizeIs(60));
  ASSERT_THAT(recorder_.races, SizeIs(2));
  EXPECT_EQ(recorder_.races[1].task, 2);
  EXPECT_EQ(recorder_.races[1].tasks, 2);
}

TEST_F(TuneRaceTest, SameSeedSameBytes) {
  measurer_.takes = absl::ZeroDuration();  // the clock stands still
  for (const char* log : {"a", "b"}) {
    TuneLogged(Path(log), {Conv(), Matmul()}, {.trials = 40, .seed = 5});
    TuneLogged(Path(log), {Conv(), Matmul()}, {.trials = 60, .seed = 5});
  }
  EXPECT_EQ(*ReadFile(Path("a")), *ReadFile(Path("b")));
}

// Nor does a search that goes on know of it.
TEST_F(TuneRaceTest, TheSearchDoesNotLearnFromIt) {
  for (const int race_candidates : {0, 5}) {
    const std::string path = Path(race_candidates == 0 ? "without" : "with");
    for (const int trials : {32, 64}) {
      TuneLogged(path, {Conv(), Matmul()},
                 {.trials = trials, .race_candidates = race_candidates});
    }
  }
  EXPECT_THAT(Records(Path("without"), /*race=*/true), IsEmpty());
  EXPECT_EQ(Texts(Records(Path("with"), /*race=*/false)),
            Texts(Records(Path("without"), /*race=*/false)));
}

TEST_F(TuneRaceTest, AfterAnInterruptThereIsNone) {
  interrupted_ = [&] { return recorder_.events.size() >= 30; };
  const TuningOutcome outcome =
      TuneLogged(Path("log"), {Conv()}, {.trials = 60});
  EXPECT_EQ(outcome.end, TuningEnd::kInterrupted);
  EXPECT_THAT(ReadRecordLog(Path("log"))->records, SizeIs(30));
  EXPECT_THAT(recorder_.races, IsEmpty());
}

TEST_F(TuneRaceTest, AnInterruptEndsItToo) {
  interrupted_ = [&] { return clock_.Elapsed() >= absl::Seconds(61); };
  const TuningOutcome outcome =
      TuneLogged(Path("log"), {Conv(), Matmul()}, {.trials = 60});
  EXPECT_EQ(outcome.end, TuningEnd::kInterrupted);
  EXPECT_THAT(Records(Path("log"), /*race=*/true), SizeIs(1));
  EXPECT_THAT(recorder_.races, SizeIs(1));
  EXPECT_TRUE(outcome.tasks[0].records.best->race);
  EXPECT_FALSE(outcome.tasks[1].records.best->race);
}

TEST_F(TuneRaceTest, TheTimeLimitIsOfTheSearch) {
  const TuningOutcome outcome = TuneLogged(
      Path("log"), {Conv()}, {.trials = 60, .time_limit = absl::Seconds(20)});
  EXPECT_EQ(outcome.end, TuningEnd::kTimeLimit);
  EXPECT_EQ(outcome.trials, 20);
  EXPECT_TRUE(outcome.tasks[0].records.best->race);
}

// Each time what ran fastest, by its last time.
TEST_F(TuneRaceTest, WhatIsDoneRacesAgain) {
  const std::vector<TuningTask> tasks = {Conv()};
  TuneLogged(Path("log"), tasks, {.trials = 60});
  const std::vector<MeasureRecord> first = Records(Path("log"), /*race=*/true);
  const MeasureRecord won =
      *std::min_element(first.begin(), first.end(),
                        [](const MeasureRecord& a, const MeasureRecord& b) {
                          return Cost(a.result) < Cost(b.result);
                        });
  measurer_.again[PrintSchedule(won.schedule)] = 1.4;
  const TuningOutcome outcome = TuneLogged(Path("log"), tasks, {.trials = 60});
  EXPECT_EQ(outcome.new_trials, 0);
  EXPECT_EQ(outcome.trials, 60);
  const std::vector<MeasureRecord> both = Records(Path("log"), /*race=*/true);
  ASSERT_THAT(both, SizeIs(2 * first.size()));
  EXPECT_EQ(both.back().run, 2);
  EXPECT_NE(outcome.tasks[0].records.best->schedule, won.schedule);
  EXPECT_EQ(outcome.tasks[0].records.best->run, 2);
}

TEST_F(TuneRaceTest, AnInterruptedRunKeepsTheRaceBefore) {
  const std::vector<TuningTask> tasks = {Conv()};
  const TuningOutcome raced = TuneLogged(Path("log"), tasks, {.trials = 60});
  interrupted_ = [&] { return recorder_.events.size() == 1; };
  const TuningOutcome outcome = TuneLogged(Path("log"), tasks, {.trials = 90});
  EXPECT_EQ(outcome.end, TuningEnd::kInterrupted);
  EXPECT_EQ(outcome.new_trials, 1);
  EXPECT_EQ(outcome.tasks[0].records.best, raced.tasks[0].records.best);
}

TEST_F(TuneRaceTest, IfAllFailTheBestTrialCounts) {
  measurer_.all_fail_again = true;
  const TuningOutcome outcome =
      TuneLogged(Path("log"), {Conv()}, {.trials = 60});
  EXPECT_THAT(Records(Path("log"), /*race=*/true), Not(IsEmpty()));
  EXPECT_FALSE(outcome.tasks[0].records.best->race);
  EXPECT_THAT(outcome.tasks[0].records.failures, IsEmpty());
  EXPECT_DOUBLE_EQ(*outcome.network_seconds,
                   3 * Cost(outcome.tasks[0].records.best->result));
}

// A task with one candidate races alone: its time is part of the network's.
TEST_F(TuneRaceTest, TheDefaultScheduleHasTheTimeOfTheRace) {
  const std::vector<TuningTask> tasks = {Conv()};
  TuneLogged(Path("log"), tasks, {.trials = 1, .race_candidates = 0});
  measurer_.again[Texts(Records(Path("log"), /*race=*/false))[0]] = 1.25;
  const TuningOutcome outcome = TuneLogged(Path("log"), tasks, {.trials = 1});
  const TaskOutcome& task = outcome.tasks[0];
  EXPECT_TRUE(task.records.best->race);
  EXPECT_EQ(task.default_seconds, Cost(task.records.best->result));
}

TEST_F(TuneRaceTest, SecondTimings) {
  const std::vector<TuningTask> tasks = {Conv(), Matmul()};
  const TuningOptions options = {
      .trials = 60, .race_candidates = 0, .second_timings = 7};
  const TuningOutcome outcome = TuneLogged(Path("log"), tasks, options);
  EXPECT_EQ(outcome.trials, 60);
  EXPECT_THAT(recorder_.races, SizeIs(2));
  const std::vector<MeasureRecord> again = Records(Path("log"), /*race=*/true);
  ASSERT_THAT(again, SizeIs(14));
  // The fastest is among them, so that it still is the best.
  EXPECT_EQ(outcome.tasks[0].records.best, again[0]);
  for (size_t i = 1; i < 7; ++i)
    EXPECT_GE(Cost(again[i].result), Cost(again[i - 1].result));
  // They are done.
  TuneLogged(Path("log"), tasks, options);
  EXPECT_THAT(Records(Path("log"), /*race=*/true), SizeIs(14));
}

TEST_F(TuneRaceTest, InterruptedSecondTimingsGoOn) {
  const std::vector<TuningTask> tasks = {Conv(), Matmul()};
  const TuningOptions options = {
      .trials = 40, .race_candidates = 0, .second_timings = 5};
  // When the second task has one of its timings.
  int asked = 0;
  interrupted_ = [&] { return recorder_.races.size() == 2 && ++asked > 2; };
  EXPECT_EQ(TuneLogged(Path("log"), tasks, options).end,
            TuningEnd::kInterrupted);
  EXPECT_THAT(Records(Path("log"), /*race=*/true), SizeIs(6));
  interrupted_ = nullptr;
  TuneLogged(Path("log"), tasks, options);
  const std::vector<MeasureRecord> again = Records(Path("log"), /*race=*/true);
  ASSERT_THAT(again, SizeIs(10));
  EXPECT_EQ(std::count_if(again.begin(), again.end(),
                          [&](const MeasureRecord& record) {
                            return record.workload == tasks[0].workload.key;
                          }),
            5);
}

}  // namespace
}  // namespace pruner
