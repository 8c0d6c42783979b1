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

}  // namespace
}  // namespace pruner
