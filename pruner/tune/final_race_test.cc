#include "pruner/tune/final_race.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/record/best_records.h"
#include "pruner/record/fastest_records.h"
#include "pruner/record/measure_record.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/search/search_policy.h"
#include "pruner/target/target_key.h"
#include "pruner/tune/distinct_tasks.h"
#include "pruner/tune/tuning_task.h"
#include "pruner/workload/workload.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr TargetKey kTarget = {1};

// Numbers tell computations apart.
TuningTask Task(int number, int slot) {
  return {.workload = Workload("", "", MatmulReluDag(number + 1, 1, 1)),
          .slot = slot};
}

class FinalRaceTest : public testing::Test {
 protected:
  // A candidate of a task, known by its number.
  void Timed(const TuningTask& task, int candidate, double seconds,
             int64_t race_of_run = 0) {
    const MeasureRecord record = {.workload = task.workload.key,
                                  .target = kTarget,
                                  .run = race_of_run,
                                  .schedule = *ParseSchedule(absl::StrCat(
                                      "compute_root stage=", candidate)),
                                  .genes = absl::StrCat("genes ", candidate),
                                  .result = {.seconds = {seconds}},
                                  .race = race_of_run > 0};
    best_.Add(record);
    fastest_.Add(record);
  }

  // Such as "0: 3 1", the places of tasks with their candidates.
  std::vector<std::string> Plan() const {
    const DistinctTasks distinct = DistinctTasksOf(tasks_, kTarget);
    std::vector<std::string> plan;
    for (const Race& race : PlanRaces(distinct.tasks, best_, fastest_)) {
      std::string& text = plan.emplace_back(absl::StrCat(race.task, ":"));
      for (const Proposal& candidate : race.candidates) {
        EXPECT_EQ(candidate.genes.substr(0, 6), "genes ");
        EXPECT_EQ(PrintSchedule(candidate.schedule),
                  absl::StrCat("compute_root stage=", candidate.genes.substr(6),
                               "\n"));
        absl::StrAppend(&text, candidate.genes.substr(5));
      }
    }
    return plan;
  }

  std::vector<TuningTask> tasks_;
  BestRecords best_;
  FastestRecords fastest_{3};
};

TEST_F(FinalRaceTest, TheFastestOfEachTask) {
  tasks_ = {Task(0, -1), Task(1, -1), Task(2, -1)};
  const double seconds[] = {1.3, 1.1, 1.6, 1.0, 1.2};
  for (int i = 0; i < 5; ++i) Timed(tasks_[0], i, seconds[i]);
  Timed(tasks_[2], 7, 20);  // also if there is but one
  EXPECT_THAT(Plan(), ElementsAre("0: 3 1 4", "2: 7"));
}

TEST_F(FinalRaceTest, WhatIsSurelySlowerDoesNotRace) {
  tasks_ = {Task(0, -1)};
  Timed(tasks_[0], 0, 1.51);
  Timed(tasks_[0], 1, 1.49);
  Timed(tasks_[0], 2, 1);
  EXPECT_THAT(Plan(), ElementsAre("0: 2 1"));
}

TEST_F(FinalRaceTest, OfASlotThoseThatMayBeItsFastest) {
  tasks_ = {Task(0, 4), Task(1, 2), Task(2, 4), Task(3, 4)};
  Timed(tasks_[0], 0, 1.49);
  Timed(tasks_[1], 1, 7);
  Timed(tasks_[2], 2, 1.51);
  Timed(tasks_[3], 3, 1);
  // Slots are in the order in which tasks were given.
  EXPECT_THAT(Plan(), ElementsAre("0: 0", "3: 3", "1: 1"));
}

TEST_F(FinalRaceTest, ATaskOfSeveralSlotsRacesOnce) {
  tasks_ = {Task(0, 0), Task(1, 1), Task(0, 1), Task(0, -1)};
  Timed(tasks_[0], 0, 1);
  Timed(tasks_[1], 1, 1);
  EXPECT_THAT(Plan(), ElementsAre("0: 0", "1: 1"));
  // In one slot it is too slow, in another it is all that there is.
  Timed(tasks_[1], 2, 0.1);
  EXPECT_THAT(Plan(), ElementsAre("0: 0", "1: 2"));
}

TEST_F(FinalRaceTest, TheWinnerBeforeRacesAgain) {
  tasks_ = {Task(0, -1)};
  Timed(tasks_[0], 0, 1);
  Timed(tasks_[0], 1, 1.1);
  Timed(tasks_[0], 0, 1.4, /*race_of_run=*/1);
  Timed(tasks_[0], 1, 1.3, /*race_of_run=*/1);
  EXPECT_THAT(Plan(), ElementsAre("0: 1 0"));
  for (int i = 2; i < 5; ++i) Timed(tasks_[0], i, 1.2);
  EXPECT_THAT(Plan(), ElementsAre("0: 2 3 4 1"));
  Timed(tasks_[0], 5, 0.8);
  EXPECT_THAT(Plan(), ElementsAre("0: 5 2 3"));
}

TEST_F(FinalRaceTest, NothingRanNothingRaces) {
  tasks_ = {Task(0, -1)};
  EXPECT_THAT(Plan(), IsEmpty());
}

TEST_F(FinalRaceTest, TheRunOffIsOfTheFirstTwo) {
  tasks_ = {Task(0, -1)};
  for (const int candidate : {1, 2, 3})
    Timed(tasks_[0], candidate, 1 + 0.1 * candidate);
  const DistinctTasks distinct = DistinctTasksOf(tasks_, kTarget);
  Race race = PlanRaces(distinct.tasks, best_, fastest_)[0];
  ASSERT_EQ(race.candidates.size(), 3);
  const auto run_off = [&] {
    std::vector<std::string> genes;
    for (const Proposal& finalist :
         PlanRunOff(race, fastest_.Of(distinct.tasks[0].key))) {
      genes.push_back(finalist.genes);
    }
    return genes;
  };
  for (const int candidate : {1, 2, 3})
    Timed(tasks_[0], candidate, 2 - 0.1 * candidate, /*race_of_run=*/1);
  EXPECT_THAT(run_off(), ElementsAre("genes 3", "genes 2"));
  Timed(tasks_[0], 4, 1);  // was not in it
  EXPECT_THAT(run_off(), ElementsAre("genes 3", "genes 2"));
  race.candidates.resize(1);
  EXPECT_THAT(run_off(), IsEmpty());
}

TEST_F(FinalRaceTest, OneRaceAloneMayBeDisturbed) {
  tasks_ = {Task(0, -1)};
  Timed(tasks_[0], 0, 1);
  const DistinctTasks distinct = DistinctTasksOf(tasks_, kTarget);
  const std::vector<Race> races = PlanRaces(distinct.tasks, best_, fastest_);
  Timed(tasks_[0], 0, 2, /*race_of_run=*/1);
  EXPECT_THAT(DisturbedRaces(races, distinct.tasks, best_), SizeIs(1));
}

TEST_F(FinalRaceTest, DisturbedRacesAreRunAgain) {
  tasks_ = {Task(0, -1), Task(1, -1), Task(2, -1), Task(3, -1)};
  for (const TuningTask& task : tasks_) Timed(task, 0, 1);
  const DistinctTasks distinct = DistinctTasksOf(tasks_, kTarget);
  const std::vector<Race> races = PlanRaces(distinct.tasks, best_, fastest_);
  ASSERT_EQ(races.size(), 4);
  const auto disturbed = [&] {
    std::vector<size_t> places;
    for (const Race& race : DisturbedRaces(races, distinct.tasks, best_))
      places.push_back(race.task);
    return places;
  };
  EXPECT_THAT(disturbed(), IsEmpty());
  const double seconds[] = {1.19, 1.21, 0.9, 3};
  for (int i = 0; i < 4; ++i)
    Timed(tasks_[i], 0, seconds[i], /*race_of_run=*/1);
  EXPECT_THAT(disturbed(), ElementsAre(1, 3));
  Timed(tasks_[1], 0, 1.1, /*race_of_run=*/1);
  EXPECT_THAT(disturbed(), ElementsAre(3));
  // Of a machine that is slower now none is.
  for (int i = 0; i < 3; ++i) Timed(tasks_[i], 0, 1.3, /*race_of_run=*/1);
  EXPECT_THAT(disturbed(), IsEmpty());
}

}  // namespace
}  // namespace pruner
