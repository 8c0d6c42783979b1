#include "pruner/record/best_records.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/measure_record.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

RecordKey Key(uint64_t workload) { return {.workload = {workload}}; }

MeasureRecord Timed(uint64_t workload, int64_t trial,
                    std::vector<double> seconds) {
  return {.workload = {workload},
          .result = {.seconds = std::move(seconds)},
          .trial = trial};
}

MeasureRecord OfRun(int64_t run, MeasureRecord record) {
  record.run = run;
  return record;
}

// Of a schedule of its own, if not said.
MeasureRecord Raced(int64_t run, int64_t number, double seconds,
                    std::optional<int64_t> schedule = std::nullopt) {
  MeasureRecord record = OfRun(run, Timed(1, number, {seconds}));
  record.race = true;
  record.schedule = *ParseSchedule(
      absl::StrCat("compute_root stage=", schedule.value_or(number)));
  return record;
}

MeasureRecord Failed(uint64_t workload, FailureKind kind) {
  return {.workload = {workload}, .result = FailedResult(kind, "")};
}

TEST(BestRecordsTest, LeastCostOfEachWorkload) {
  const BestRecords best({Timed(1, 0, {3}), Timed(2, 1, {1}), Timed(1, 2, {2}),
                          Timed(1, 3, {1, 2, 9}), Timed(2, 4, {4})});
  // The median of trial 3 is no less than trial 2's, which was first.
  EXPECT_EQ(best.Of(Key(1)).best->trial, 2);
  EXPECT_EQ(best.Of(Key(1)).trials, 3);
  EXPECT_EQ(best.Of(Key(2)).best->trial, 1);
  EXPECT_EQ(best.all().size(), 2u);
}

TEST(BestRecordsTest, OtherTargetsAndPoliciesDoNotCompete) {
  MeasureRecord other_target = Timed(1, 1, {1}),
                other_policy = Timed(1, 2, {2});
  other_target.target = {7};
  other_policy.measure_policy = "cold";
  const BestRecords best({Timed(1, 0, {3}), other_target, other_policy});
  EXPECT_EQ(best.Of(Key(1)).best->trial, 0);
  EXPECT_EQ(best.Of(Key(1)).trials, 1);
  EXPECT_EQ(best.Of(RecordKeyOf(other_target)).best->trial, 1);
  EXPECT_EQ(best.Of(RecordKeyOf(other_policy)).best->trial, 2);
}

TEST(BestRecordsTest, CountsFailuresByKind) {
  const BestRecords best({Failed(1, FailureKind::kCrash), Timed(1, 0, {1}),
                          Failed(1, FailureKind::kCrash),
                          Failed(1, FailureKind::kRunTimeout),
                          Failed(2, FailureKind::kWrongResult)});
  EXPECT_THAT(best.Of(Key(1)).failures,
              UnorderedElementsAre(Pair(FailureKind::kCrash, 2),
                                   Pair(FailureKind::kRunTimeout, 1)));
  EXPECT_EQ(best.Of(Key(1)).trials, 4);
  EXPECT_TRUE(best.Of(Key(1)).best.has_value());
  EXPECT_FALSE(best.Of(Key(2)).best.has_value());
}

TEST(BestRecordsTest, ARaceEndsWhatTrialsSaid) {
  BestRecords best({OfRun(1, Timed(1, 0, {1})), OfRun(1, Timed(1, 1, {1.1}))});
  best.Add(Raced(1, 2, 1.3));
  EXPECT_EQ(best.Of(Key(1)).best->trial, 2);
  best.Add(Raced(1, 3, 1.2));
  best.Add(Raced(1, 4, 1.4));
  EXPECT_EQ(best.Of(Key(1)).best->trial, 3);
  EXPECT_EQ(best.Of(Key(1)).race_winner->trial, 3);
  EXPECT_EQ(best.Of(Key(1)).trials, 2);
}

TEST(BestRecordsTest, WhoLeadsARaceHasTheLaterTime) {
  BestRecords best({Raced(1, 0, 1.0, 7), Raced(1, 1, 1.1, 8)});
  EXPECT_EQ(best.Of(Key(1)).best->trial, 0);
  best.Add(Raced(1, 2, 1.4, 7));
  EXPECT_EQ(best.Of(Key(1)).best->trial, 2);
  best.Add(Raced(1, 3, 1.2, 8));
  EXPECT_EQ(best.Of(Key(1)).best->trial, 3);
  EXPECT_EQ(best.Of(Key(1)).race_winner->trial, 3);
}

TEST(BestRecordsTest, LaterTrialsCompeteUntilTheyAreRaced) {
  BestRecords best({OfRun(1, Timed(1, 0, {1})), Raced(1, 1, 1.3)});
  best.Add(OfRun(2, Timed(1, 2, {1.4})));
  EXPECT_EQ(best.Of(Key(1)).best->trial, 1);
  best.Add(OfRun(2, Timed(1, 3, {1.2})));
  EXPECT_EQ(best.Of(Key(1)).best->trial, 3);
  EXPECT_EQ(best.Of(Key(1)).race_winner->trial, 1);
  // Neither the trials nor the race before competes any more.
  best.Add(Raced(2, 4, 1.6));
  EXPECT_EQ(best.Of(Key(1)).best->trial, 4);
  best.Add(Raced(2, 5, 1.5));
  EXPECT_EQ(best.Of(Key(1)).best->trial, 5);
  EXPECT_EQ(best.Of(Key(1)).race_winner->trial, 5);
}

TEST(BestRecordsTest, ARaceThatFailedChangesNothing) {
  BestRecords best({OfRun(1, Timed(1, 0, {1}))});
  MeasureRecord failed = OfRun(1, Failed(1, FailureKind::kCrash));
  failed.race = true;
  best.Add(failed);
  EXPECT_EQ(best.Of(Key(1)).best->trial, 0);
  EXPECT_FALSE(best.Of(Key(1)).race_winner.has_value());
  EXPECT_THAT(best.Of(Key(1)).failures, IsEmpty());
  EXPECT_FALSE(best.Of(Key(1)).first_failure.has_value());
  best.Add(Raced(1, 2, 1.3));
  failed.run = 2;
  best.Add(failed);
  EXPECT_EQ(best.Of(Key(1)).best->trial, 2);
}

TEST(BestRecordsTest, NothingOfAnUnknownWorkload) {
  const BestRecords best;
  EXPECT_EQ(best.Of(Key(7)).trials, 0);
  EXPECT_THAT(best.Of(Key(7)).failures, IsEmpty());
  EXPECT_FALSE(best.Of(Key(7)).best.has_value());
}

}  // namespace
}  // namespace pruner
