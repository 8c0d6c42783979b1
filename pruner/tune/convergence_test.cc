#include "pruner/tune/convergence.h"

#include <cstdint>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/best_records.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "pruner/tune/distinct_tasks.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

RecordKey Key(uint64_t workload) { return {.workload = {workload}}; }

// Two slots; the second one, which the network computes three times, can be
// done in two ways.
std::vector<DistinctTask> Tasks() {
  return {{.key = Key(1), .uses = {{.slot = 0, .weight = 1}}},
          {.key = Key(2), .uses = {{.slot = 1, .weight = 3}}},
          {.key = Key(3), .uses = {{.slot = 1, .weight = 3}}}};
}

absl::Time At(int seconds) {
  return absl::FromUnixSeconds(1000) + absl::Seconds(seconds);
}

MeasureRecord Trial(uint64_t workload, double seconds, int at,
                    int64_t run = 1) {
  return {.workload = {workload},
          .run = run,
          .result = {.seconds = {seconds}},
          .time = At(at)};
}

ConvergencePoint Point(int64_t trials, int elapsed, double seconds) {
  return {.trials = trials,
          .elapsed = absl::Seconds(elapsed),
          .network_seconds = seconds};
}

LoggedRun RunFrom(int at) { return {.info = {.time = At(at)}}; }

TEST(ConvergenceTest, IsWhereTheNetworkGetsFaster) {
  LogContents log = {
      .runs = {{1, RunFrom(0)}},
      .records = {Trial(1, 5, 2), Trial(2, 2, 3), Trial(3, 4, 4),
                  Trial(3, 1, 5), Trial(1, 4, 7), Trial(1, 6, 9)}};
  EXPECT_THAT(ConvergenceOf(Tasks(), log),
              ElementsAre(Point(2, 3, 11), Point(4, 5, 8), Point(5, 7, 7),
                          Point(6, 9, 7)));
}

TEST(ConvergenceTest, IsNothingAsLongAsASlotHasNothing) {
  MeasureRecord failed = Trial(1, 1, 3);
  failed.result = FailedResult(FailureKind::kCrash, "");
  const LogContents log = {.runs = {{1, RunFrom(0)}},
                           .records = {Trial(2, 1, 2), failed}};
  EXPECT_THAT(ConvergenceOf(Tasks(), log), IsEmpty());
}

TEST(ConvergenceTest, OthersAndRacesDoNotCount) {
  LogContents log = {.runs = {{1, RunFrom(0)}},
                     .records = {Trial(1, 5, 1), Trial(4, 1, 2), Trial(2, 1, 3),
                                 Trial(1, 1, 4)}};
  log.records[3].race = true;
  EXPECT_THAT(ConvergenceOf(Tasks(), log), ElementsAre(Point(2, 3, 8)));
}

TEST(ConvergenceTest, TimeBetweenRunsDoesNotCount) {
  const LogContents log = {
      .runs = {{1, RunFrom(0)}, {2, RunFrom(100)}},
      .records = {Trial(1, 5, 1), Trial(2, 1, 3), Trial(1, 4, 104, 2)}};
  EXPECT_THAT(ConvergenceOf(Tasks(), log),
              ElementsAre(Point(2, 3, 8), Point(3, 7, 7)));
}

TEST(ConvergenceTest, AClockThatIsSetBack) {
  const LogContents log = {
      .runs = {{1, RunFrom(0)}},
      .records = {Trial(1, 5, 5), Trial(2, 1, 6), Trial(1, 4, 2)}};
  EXPECT_THAT(ConvergenceOf(Tasks(), log),
              ElementsAre(Point(2, 6, 8), Point(3, 6, 7)));
}

}  // namespace
}  // namespace pruner
