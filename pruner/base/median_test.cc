#include "pruner/base/median.h"

#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(MedianTest, OfOddAndEvenNumbers) {
  EXPECT_EQ(Median({3}), 3);
  EXPECT_EQ(Median({5, 1, 3}), 3);
  EXPECT_EQ(Median({4, 1}), 2.5);
  EXPECT_EQ(Median({9, 1, 2, 2, 8, 3}), 2.5);
}

}  // namespace
}  // namespace pruner
