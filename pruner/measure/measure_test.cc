#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/measure/fake_measurer.h"
#include "pruner/measure/measure_result.h"
#include "pruner/measure/measurer_conformance.h"

namespace pruner {
namespace {

Workload MatmulWorkload() { return {"matmul", "", MatmulReluDag(8, 8, 8)}; }

INSTANTIATE_TEST_SUITE_P(
    Fake, MeasurerConformanceTest,
    testing::Values(MeasurerUnderTest{
        .name = "fake",
        .make = [] { return std::make_unique<FakeMeasurer>(); },
        .workload = MatmulWorkload,
        .good = {}}));

TEST(FakeMeasurerTest, FailsAsOftenAsTold) {
  FakeMeasurer measurer({.failure_rate = 0.5});
  std::vector<Schedule> schedules;
  for (int i = 1; i <= 200; ++i) {
    schedules.push_back({.steps = {AutoUnrollStep{.stage = 2, .max_step = i}}});
  }
  int failures = 0;
  ASSERT_TRUE(measurer
                  .Measure(MatmulWorkload(), MeasurePolicy::kWarm, schedules,
                           [&](size_t, const MeasureResult& result) {
                             failures += !result.ok();
                             return true;
                           },
                           {})
                  .ok());
  EXPECT_GT(failures, 60);
  EXPECT_LT(failures, 140);
}

TEST(MeasureResultTest, CostIsTheMedian) {
  EXPECT_EQ(Cost({.seconds = {5, 1, 2}}), 2);
  EXPECT_EQ(Cost({.seconds = {4, 1, 2, 100}}), 3);
}

TEST(MeasureResultTest, TheMeanIsOfWhatWasNotInterrupted) {
  EXPECT_EQ(MeanSeconds({.seconds = {3}}), 3);
  EXPECT_EQ(MeanSeconds({.seconds = {2, 6, 1}}), 1.5);
  EXPECT_EQ(MeanSeconds({.seconds = {2, 4, 1}}), 7.0 / 3);
}

TEST(MeasureResultTest, ATrialIsCompiledBesideOthersAndRunsAlone) {
  MeasureResult result = {.seconds = {1, 2}, .compile_seconds = 8};
  EXPECT_EQ(TrialSeconds(result, 1), 11);
  EXPECT_EQ(TrialSeconds(result, 4), 5);
  result = FailedResult(FailureKind::kCrash, "");
  result.compile_seconds = 8;
  EXPECT_EQ(TrialSeconds(result, 4), 2);
}

TEST(MeasureResultTest, ProtoRoundTrips) {
  MeasureResult result{
      .seconds = {0.5, 0.25}, .compile_seconds = 1, .max_error = 1e-6};
  EXPECT_EQ(*FromProto(ToProto(result)), result);
  for (FailureKind kind : kAllFailureKinds) {
    EXPECT_FALSE(FailureKindName(kind).empty());
    const MeasureResult failed = FailedResult(kind, "why");
    EXPECT_EQ(*FromProto(ToProto(failed)), failed);
  }
}

TEST(MeasureResultTest, RefusesWhatIsNeitherTimedNorFailed) {
  EXPECT_FALSE(FromProto(proto::MeasureResult()).ok());
  proto::MeasureResult both = ToProto(FailedResult(FailureKind::kCrash, ""));
  both.add_seconds(1);
  EXPECT_FALSE(FromProto(both).ok());
  proto::MeasureResult unknown = ToProto(FailedResult(FailureKind::kCrash, ""));
  unknown.mutable_failure()->set_kind(99);
  EXPECT_EQ(FromProto(unknown).status().message(),
            "a failure of no known kind: 99");
}

TEST(MeasureResultTest, RefusesTimesThatCannotBe) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double seconds :
       {0.0, 1e-300, 0.99e-9, -1.0, kInfinity, -kInfinity,
        std::numeric_limits<double>::quiet_NaN()}) {
    proto::MeasureResult message = ToProto({.seconds = {1}});
    message.add_seconds(seconds);
    EXPECT_FALSE(FromProto(message).ok()) << seconds;
  }
}

TEST(MeasureResultTest, FailuresMayQuoteAnyBytes) {
  const MeasureResult failed =
      FailedResult(FailureKind::kCrash, std::string("\xff\0\xc3", 3));
  proto::MeasureResult message;
  ASSERT_TRUE(message.ParseFromString(ToProto(failed).SerializeAsString()));
  EXPECT_EQ(*FromProto(message), failed);
}

}  // namespace
}  // namespace pruner
