#include "pruner/pacm/early_stop.h"

#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(EarlyStopTest, TheMeanBeginsWithTheFirstLoss) {
  EarlyStop stop(/*memory=*/0.95, /*patience=*/1);
  EXPECT_EQ(stop.mean(), 0);
  stop.AddLoss(2);
  EXPECT_DOUBLE_EQ(stop.mean(), 2);
  stop.AddLoss(4);
  EXPECT_DOUBLE_EQ(stop.mean(), 0.95 * 2 + 0.05 * 4);
  stop.AddLoss(1);
  EXPECT_DOUBLE_EQ(stop.mean(), 0.95 * (0.95 * 2 + 0.05 * 4) + 0.05 * 1);
}

TEST(EarlyStopTest, EndsAfterEpochsWithoutASmallerMean) {
  EarlyStop stop(/*memory=*/0, /*patience=*/3);
  const auto epoch = [&](double loss) {
    stop.AddLoss(loss);
    return stop.EndEpoch();
  };
  EXPECT_FALSE(epoch(5));
  EXPECT_FALSE(epoch(6));
  EXPECT_FALSE(epoch(5));  // equal is not smaller
  EXPECT_FALSE(epoch(4));  // begins anew
  EXPECT_FALSE(epoch(4));
  EXPECT_FALSE(epoch(4));
  EXPECT_TRUE(epoch(4));
}

}  // namespace
}  // namespace pruner
