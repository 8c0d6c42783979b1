#include "tools/curves/curves_report.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/tune/convergence.h"
#include "tools/curves/sample_points.h"
#include "tools/curves/tuning_curve.h"

namespace pruner {
namespace {

using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;

TuningCurve Curve(std::string label, uint64_t seed,
                  std::vector<ConvergencePoint> points) {
  return {.network = "net",
          .label = std::move(label),
          .seed = seed,
          .points = std::move(points),
          .proposing_share = 0.01 * static_cast<double>(seed),
          .training_share = 0.005};
}

// Three seeds of a slow search, two of a fast one and one that gets nowhere.
std::vector<std::vector<TuningCurve>> Groups() {
  return ByLabel({Curve("slow", 1, {Point(5, 10, 30), Point(10, 100, 20)}),
                  Curve("fast", 1, {Point(5, 20, 21), Point(10, 50, 15)}),
                  Curve("slow", 2, {Point(5, 12, 30), Point(10, 120, 22)}),
                  Curve("slow", 3, {Point(5, 10, 30), Point(10, 90, 19)}),
                  Curve("fast", 2, {Point(5, 30, 20), Point(10, 60, 14)}),
                  Curve("idle", 1, {Point(10, 80, 30)})});
}

TEST(CurvesReportTest, Table) {
  EXPECT_THAT(
      CurvesText(Groups(), ""),
      IsOkAndHolds(
          "policy  seeds  trials         search s  choosing  training         "
          "     network ms\n"
          "------  -----  ------  ---------------  --------  --------  "
          "----------------------\n"
          "slow        3      10  100 (90 to 120)     2.0 %     0.5 %  "
          "20.00 (19.00 to 22.00)\n"
          "fast        2      10    60 (50 to 60)     2.0 %     0.5 %  "
          "15.00 (14.00 to 15.00)\n"
          "idle        1      10               80     1.0 %     0.5 %  "
          "                 30.00\n"));
}

TEST(CurvesReportTest, BesideMayBeHowOneLabelBegins) {
  const TuningCurve few = Curve("fast, --trials=5", 1, {Point(5, 20, 21)});
  const TuningCurve many = Curve("fast, --trials=9", 1, {Point(9, 50, 15)});
  const TuningCurve slow = Curve("slow", 1, {Point(5, 10, 30)});
  EXPECT_THAT(CurvesText(ByLabel({few, slow}), "fast"),
              IsOkAndHolds(HasSubstr("  21.00 ms after s  of 20 s\n")));
  EXPECT_THAT(CurvesText(ByLabel({few, many, slow}), "fast"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "--beside=fast may be each of fast, --trials=5; "
                       "fast, --trials=9"));
}

TEST(CurvesReportTest, TimeToWhatAnotherFound) {
  EXPECT_THAT(CurvesText(Groups(), "slow"),
              IsOkAndHolds(AllOf(HasSubstr("  20.00 ms after s  of 100 s\n"),
                                 HasSubstr("  100 (90 to never)     100 %\n"),
                                 HasSubstr("  50 (30 to 50)      50 %\n"),
                                 HasSubstr("  never         -\n"))));
  EXPECT_THAT(CurvesText(Groups(), "quick"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "--beside=quick is none of slow; fast; idle"));
}

TEST(CurvesReportTest, Csv) {
  EXPECT_EQ(CurvesCsv(ByLabel(
                {Curve("a, \"b\"", 7, {Point(3, 1.5, 12.25), Point(4, 2, 12)}),
                 Curve("c", 1, {Point(1, 0.25, 8)})})),
            "label,seed,trials,seconds,network_ms\n"
            "\"a, \"\"b\"\"\",7,3,1.50,12.2500\n"
            "\"a, \"\"b\"\"\",7,4,2.00,12.0000\n"
            "\"c\",1,1,0.25,8.0000\n");
}

}  // namespace
}  // namespace pruner
