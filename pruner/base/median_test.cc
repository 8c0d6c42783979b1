#include "pruner/base/median.h"

#include <vector>

#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(MedianTest, OfOddAndEvenNumbers) {
  EXPECT_EQ(Median({3}), 3);
  EXPECT_EQ(Median({5, 1, 3}), 3);
  EXPECT_EQ(Median({4, 1}), 2.5);
  EXPECT_EQ(Median({9, 1, 2, 2, 8, 3}), 2.5);
}

TEST(QuantileTest, LiesBetweenValues) {
  const std::vector<double> values = {50, 10, 40, 20, 30};
  EXPECT_EQ(Quantile(values, 0), 10);
  EXPECT_EQ(Quantile(values, 1), 50);
  EXPECT_EQ(Quantile(values, 0.5), 30);
  EXPECT_EQ(Quantile(values, 0.25), 20);
  EXPECT_DOUBLE_EQ(Quantile(values, 0.9), 46);
  EXPECT_DOUBLE_EQ(Quantile({1, 2, 3, 4}, 0.5), Median({1, 2, 3, 4}));
  EXPECT_EQ(Quantile({7}, 0.3), 7);
}

}  // namespace
}  // namespace pruner
