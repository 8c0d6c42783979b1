#include "tools/curves/tuning_curve.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/record/run_info.h"
#include "pruner/tune/convergence.h"
#include "tools/curves/sample_points.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Field;
using ::testing::Optional;

TEST(TuningCurveTest, TimeToALatency) {
  const TuningCurve curve = {
      .points = {Point(1, 10, 30), Point(2, 15, 20), Point(9, 99, 20)}};
  EXPECT_THAT(curve.TimeTo(0.04), Optional(absl::Seconds(10)));
  EXPECT_THAT(curve.TimeTo(0.02), Optional(absl::Seconds(15)));
  EXPECT_THAT(curve.TimeTo(0.019), Eq(std::nullopt));
}

TEST(TuningCurveTest, LabelsSayWhatIsUnusual) {
  EXPECT_EQ(LabelOf({.policy = "ansor",
                     .options = {{"trials", "9"},
                                 {"sampling", "hardware"},
                                 {"scheduler", "gradient"},
                                 {"cost_model", "gbdt"},
                                 {"measure_policy", "auto"}}}),
            "ansor");
  EXPECT_EQ(LabelOf({.policy = "pruner",
                     .options = {{"scheduler", "gradient"},
                                 {"cost_model", "pacm"},
                                 {"pretrained", "cpu"}}}),
            "pruner");
  EXPECT_EQ(LabelOf({.policy = "mutate",
                     .options = {{"scheduler", "round_robin"},
                                 {"sampling", "ansor"}}}),
            "mutate, --sampling=ansor --scheduler=round_robin");
}

TEST(TuningCurveTest, LogsThatDoNotSayAnOptionAreOfTheDefaultOfTheirTime) {
  EXPECT_EQ(LabelOf({.policy = "mutate"}), "mutate, --scheduler=round_robin");
  EXPECT_EQ(LabelOf({.policy = "pruner"}),
            "pruner, --scheduler=round_robin --cost_model=gbdt "
            "--pretrained=none");
}

TEST(TuningCurveTest, LabelsInTheOrderInWhichTheyOccur) {
  std::vector<TuningCurve> curves;
  for (const auto& [label, seed] :
       std::vector<std::pair<std::string, int>>{{"b", 1}, {"a", 1}, {"b", 2}}) {
    curves.push_back({.label = label,
                      .seed = static_cast<uint64_t>(seed),
                      .points = {Point(1, 1, 1)}});
  }
  const auto seed = [](uint64_t value) {
    return Field(&TuningCurve::seed, value);
  };
  EXPECT_THAT(ByLabel(curves),
              ElementsAre(ElementsAre(seed(1), seed(2)), ElementsAre(seed(1))));
}

}  // namespace
}  // namespace pruner
