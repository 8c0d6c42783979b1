#include "pruner/record/fastest_records.h"

#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/best_records.h"
#include "pruner/record/measure_record.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

MeasureRecord Timed(int64_t trial, int schedule, double seconds) {
  return {
      .workload = {1},
      .schedule = *ParseSchedule(absl::StrCat("compute_root stage=", schedule)),
      .result = {.seconds = {seconds}},
      .trial = trial};
}

std::vector<int64_t> Trials(const FastestRecords& records,
                            const RecordKey& key) {
  std::vector<int64_t> trials;
  for (const MeasureRecord& record : records.Of(key))
    trials.push_back(record.trial);
  return trials;
}

RecordKey Key() { return {.workload = {1}}; }

TEST(FastestRecordsTest, TheFastestFirst) {
  FastestRecords records(3);
  for (const MeasureRecord& record :
       {Timed(0, 0, 5), Timed(1, 1, 3), Timed(2, 2, 4), Timed(3, 3, 6),
        Timed(4, 4, 3), Timed(5, 5, 1)}) {
    records.Add(record);
  }
  EXPECT_THAT(Trials(records, Key()), ElementsAre(5, 1, 4));
}

TEST(FastestRecordsTest, EachScheduleByItsLastTime) {
  FastestRecords records(3);
  for (const MeasureRecord& record : {Timed(0, 0, 1), Timed(1, 1, 3)})
    records.Add(record);
  MeasureRecord again = Timed(2, 0, 4);
  again.race = true;
  records.Add(again);
  EXPECT_THAT(Trials(records, Key()), ElementsAre(1, 2));
}

TEST(FastestRecordsTest, WhatRan) {
  FastestRecords records(3);
  MeasureRecord failed = Timed(0, 0, 1), other = Timed(1, 1, 1),
                failed_again = Timed(3, 2, 1);
  failed.result = failed_again.result = FailedResult(FailureKind::kCrash, "");
  other.target = {7};
  for (const MeasureRecord& record :
       {failed, other, Timed(2, 2, 2), failed_again}) {
    records.Add(record);
  }
  EXPECT_THAT(Trials(records, Key()), ElementsAre(2));
  EXPECT_THAT(Trials(records, RecordKeyOf(other)), ElementsAre(1));
  EXPECT_THAT(Trials(records, {}), IsEmpty());
}

TEST(FastestRecordsTest, NoneIfNoneAreWanted) {
  FastestRecords records(0);
  records.Add(Timed(0, 0, 1));
  EXPECT_THAT(Trials(records, Key()), IsEmpty());
}

}  // namespace
}  // namespace pruner
