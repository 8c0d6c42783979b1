// What every Measurer must do, as a parameterized test suite: an
// implementation's test instantiates MeasurerConformanceTest with a factory and
// a workload it can run.
#ifndef PRUNER_MEASURE_MEASURER_CONFORMANCE_H_
#define PRUNER_MEASURE_MEASURER_CONFORMANCE_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "pruner/measure/measurer.h"

namespace pruner {

struct MeasurerUnderTest {
  std::string name;
  std::function<std::unique_ptr<Measurer>()> make;
  std::function<Workload()> workload;
  // A schedule that runs.
  Schedule good;
};

class MeasurerConformanceTest
    : public testing::TestWithParam<MeasurerUnderTest> {
 protected:
  // A schedule no measurer can run: it names a stage that does not exist.
  static Schedule Bad() { return {.steps = {ComputeRootStep{.stage = 1000}}}; }
};

TEST_P(MeasurerConformanceTest, ReportsEveryResultInOrder) {
  const std::unique_ptr<Measurer> measurer = GetParam().make();
  const std::vector<Schedule> schedules = {GetParam().good, Bad(),
                                           GetParam().good};
  std::vector<size_t> reported;
  std::vector<bool> ok;
  const absl::Status status = measurer->Measure(
      GetParam().workload(), MeasurePolicy::kWarm, schedules,
      [&](size_t i, const MeasureResult& result) {
        reported.push_back(i);
        ok.push_back(result.ok());
        EXPECT_EQ(result.ok(), !result.seconds.empty());
        if (result.ok()) {
          EXPECT_GT(Cost(result), 0);
        }
        return true;
      },
      [] { return false; });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(reported, (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(ok, (std::vector<bool>{true, false, true}));
}

TEST_P(MeasurerConformanceTest, StopsWhenTold) {
  const std::unique_ptr<Measurer> measurer = GetParam().make();
  const std::vector<Schedule> schedules(4, GetParam().good);
  int reported = 0;
  const absl::Status status = measurer->Measure(
      GetParam().workload(), MeasurePolicy::kWarm, schedules,
      [&](size_t, const MeasureResult&) { return ++reported < 2; }, {});
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(reported, 2);
}

TEST_P(MeasurerConformanceTest, ABadScheduleFailsAsIfItCannotBeLowered) {
  const std::unique_ptr<Measurer> measurer = GetParam().make();
  const absl::Status status = measurer->Measure(
      GetParam().workload(), MeasurePolicy::kWarm, {Bad()},
      [](size_t, const MeasureResult& result) {
        EXPECT_FALSE(result.ok());
        if (!result.ok()) {
          EXPECT_EQ(result.failure->kind, FailureKind::kLowering);
        }
        return true;
      },
      {});
  EXPECT_TRUE(status.ok()) << status;
}

TEST_P(MeasurerConformanceTest, WhatIsNotWantedIsCancelled) {
  const std::unique_ptr<Measurer> measurer = GetParam().make();
  const std::vector<Schedule> schedules(4, GetParam().good);
  std::atomic<bool> unwanted = true;
  int reported = 0;
  const auto measure = [&] {
    return measurer->Measure(
        GetParam().workload(), MeasurePolicy::kWarm, schedules,
        [&](size_t, const MeasureResult&) {
          unwanted = ++reported == 2;
          return true;
        },
        [&] { return unwanted.load(); });
  };
  EXPECT_TRUE(absl::IsCancelled(measure()));
  EXPECT_EQ(reported, 0);
  unwanted = false;
  EXPECT_TRUE(absl::IsCancelled(measure()));
  EXPECT_EQ(reported, 2);
  // It goes on when it is wanted again.
  unwanted = false;
  EXPECT_TRUE(measure().ok());
  EXPECT_EQ(reported, 6);
}

TEST_P(MeasurerConformanceTest, NothingToMeasureIsFine) {
  const std::unique_ptr<Measurer> measurer = GetParam().make();
  EXPECT_TRUE(measurer
                  ->Measure(GetParam().workload(), MeasurePolicy::kMemory, {},
                            [](size_t, const MeasureResult&) {
                              ADD_FAILURE();
                              return true;
                            },
                            {})
                  .ok());
}

}  // namespace pruner

#endif  // PRUNER_MEASURE_MEASURER_CONFORMANCE_H_
