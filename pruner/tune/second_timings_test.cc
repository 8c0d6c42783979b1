#include "pruner/tune/second_timings.h"

#include <cstdint>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/best_records.h"
#include "pruner/record/measure_record.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The candidate of this number, timed as many seconds.
MeasureRecord Timed(int64_t number, bool race = false) {
  return {.schedule = {.steps = {SplitStep{
                           .stage = 0, .iterator = 0, .lengths = {number}}}},
          .result = {.seconds = {static_cast<double>(number)}},
          .race = race};
}

std::vector<int64_t> Numbers(const SecondTimings& timings) {
  std::vector<int64_t> numbers;
  for (const Proposal& proposal : timings.Of(RecordKeyOf(MeasureRecord()))) {
    const auto& split = std::get<SplitStep>(proposal.schedule.steps[0]);
    numbers.push_back(split.lengths[0]);
  }
  return numbers;
}

TEST(SecondTimingsTest, FromTheFastestToTheSlowest) {
  SecondTimings timings(3);
  EXPECT_THAT(Numbers(timings), IsEmpty());
  for (const int number : {4, 2, 5, 1, 3}) timings.Add(Timed(number));
  EXPECT_THAT(Numbers(timings), ElementsAre(1, 3, 5));
}

TEST(SecondTimingsTest, AsManyAsThereAre) {
  SecondTimings timings(3);
  timings.Add(Timed(2));
  EXPECT_THAT(Numbers(timings), ElementsAre(2));
  timings.Add(Timed(1));
  EXPECT_THAT(Numbers(timings), ElementsAre(1, 2));
}

TEST(SecondTimingsTest, NotTwice) {
  SecondTimings timings(3);
  for (const int number : {1, 2, 3, 4, 5}) timings.Add(Timed(number));
  timings.Add(Timed(1, /*race=*/true));
  EXPECT_THAT(Numbers(timings), ElementsAre(2, 5));
  MeasureRecord failed = Timed(5, /*race=*/true);
  failed.result = FailedResult(FailureKind::kCrash, "");
  timings.Add(failed);
  EXPECT_THAT(Numbers(timings), ElementsAre(2));
  timings.Add(Timed(2, /*race=*/true));
  timings.Add(Timed(3, /*race=*/true));
  EXPECT_THAT(Numbers(timings), IsEmpty());
}

TEST(SecondTimingsTest, OfWhatRan) {
  SecondTimings timings(3);
  timings.Add(Timed(1));
  MeasureRecord failed = Timed(2);
  failed.result = FailedResult(FailureKind::kCrash, "");
  timings.Add(failed);
  MeasureRecord cold = Timed(3);
  cold.measure_policy = "memory";
  timings.Add(cold);
  EXPECT_THAT(Numbers(timings), ElementsAre(1));
}

TEST(SecondTimingsTest, None) {
  SecondTimings timings(0);
  timings.Add(Timed(1));
  EXPECT_THAT(Numbers(timings), IsEmpty());
}

}  // namespace
}  // namespace pruner
