#include "pruner/base/text/flag_range.h"

#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(FlagRangeTest, ErrorsNameFlagValueAndRange) {
  EXPECT_TRUE(CheckFlagRange("trials", 5, 1, 10).ok());
  EXPECT_EQ(CheckFlagRange("trials", 0, 1, 10).message(),
            "--trials=0 is not between 1 and 10");
  EXPECT_EQ(CheckFlagRange("trials", -2.5, 1, 10'000'000).message(),
            "--trials=-2.5 is not between 1 and 10000000");
}

}  // namespace
}  // namespace pruner
