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
  return {.workload = {1},
          .schedule =
              *ParseSchedule(absl::StrCat("compute_root stage=", schedule)),
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

TEST(FastestRecordsTest, EachScheduleOnce) {
  FastestRecords records(3);
  for (const MeasureRecord& record : {Timed(0, 0, 5), Timed(1, 1, 3),
                                      Timed(2, 0, 2), Timed(3, 1, 4)}) {
    records.Add(record);
  }
  EXPECT_THAT(Trials(records, Key()), ElementsAre(2, 1));
}

TEST(FastestRecordsTest, TrialsThatRan) {
  FastestRecords records(3);
  MeasureRecord failed = Timed(0, 0, 1), raced = Timed(1, 1, 1),
                other = Timed(2, 2, 1);
  failed.result = FailedResult(FailureKind::kCrash, "");
  raced.race = true;
  other.target = {7};
  for (const MeasureRecord& record : {failed, raced, other, Timed(3, 3, 2)})
    records.Add(record);
  EXPECT_THAT(Trials(records, Key()), ElementsAre(3));
  EXPECT_THAT(Trials(records, RecordKeyOf(other)), ElementsAre(2));
  EXPECT_THAT(Trials(records, {}), IsEmpty());
}

TEST(FastestRecordsTest, NoneIfNoneAreWanted) {
  FastestRecords records(0);
  records.Add(Timed(0, 0, 1));
  EXPECT_THAT(Trials(records, Key()), IsEmpty());
}

}  // namespace
}  // namespace pruner
