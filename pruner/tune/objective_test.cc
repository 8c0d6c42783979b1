#include "pruner/tune/objective.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

TEST(ObjectiveTest, TotalTime) {
  const TotalTime objective;
  EXPECT_DOUBLE_EQ(objective.Value({0.25, 2}), 2.25);
  EXPECT_THAT(Derivatives(objective, {0.25, 2}),
              ElementsAre(DoubleNear(1, 1e-6), DoubleNear(1, 1e-6)));
}

TEST(ObjectiveTest, WhatIsFastEnoughNeedsNoTuning) {
  const TotalTimeAboveLimits objective({0.5, 1});
  EXPECT_DOUBLE_EQ(objective.Value({0.25, 2}), 2.5);
  EXPECT_THAT(Derivatives(objective, {0.25, 2}),
              ElementsAre(0, DoubleNear(1, 1e-6)));
}

// The derivative of (a b)^(1/2) by a is (b / a)^(1/2) / 2.
TEST(ObjectiveTest, InAGeometricMeanSmallNetworksCountAsMuch) {
  const GeometricMeanTime objective;
  EXPECT_DOUBLE_EQ(objective.Value({0.5, 2}), 1);
  EXPECT_THAT(Derivatives(objective, {0.5, 2}),
              ElementsAre(DoubleNear(1, 1e-3), DoubleNear(0.25, 1e-3)));
}

TEST(ObjectiveTest, ByName) {
  EXPECT_EQ((*MakeObjective("total_time", {}))->Value({9, 1}), 10);
  EXPECT_EQ((*MakeObjective("total_time", {3, 4}))->Value({9, 1}), 13);
  EXPECT_DOUBLE_EQ((*MakeObjective("geometric_mean", {}))->Value({9, 1}), 3);
  EXPECT_EQ(MakeObjective("luck", {}).status().message(),
            "there is no objective 'luck'; --objective is one of total_time, "
            "geometric_mean");
  EXPECT_EQ(MakeObjective("geometric_mean", {1}).status().message(),
            "--latency_limits are for --objective=total_time");
}

}  // namespace
}  // namespace pruner
