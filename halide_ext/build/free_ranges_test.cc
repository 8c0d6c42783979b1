#include "halide_ext/build/free_ranges.h"

#include <optional>

#include "gtest/gtest.h"

namespace pruner {
namespace {

using Range = FreeRanges::Range;

TEST(FreeRangesTest, TheLowestThatIsLargeEnough) {
  FreeRanges free;
  free.Give({.start = 0, .size = 4});
  free.Give({.start = 8, .size = 16});
  EXPECT_EQ(free.Take(8), 8u);
  EXPECT_EQ(free.Take(8), 16u);
  EXPECT_EQ(free.Take(8), std::nullopt);
  EXPECT_EQ(free.Take(4), 0u);
}

TEST(FreeRangesTest, NeighboursAreOne) {
  FreeRanges free;
  EXPECT_EQ(free.Give({.start = 0, .size = 4}), (Range{0, 4}));
  EXPECT_EQ(free.Give({.start = 8, .size = 4}), (Range{8, 4}));
  EXPECT_EQ(free.Give({.start = 4, .size = 4}), (Range{0, 12}));
  EXPECT_EQ(free.Give({.start = 20, .size = 0}), (Range{20, 0}));
  EXPECT_EQ(free.Take(12), 0u);
  EXPECT_EQ(free.Take(1), std::nullopt);
}

TEST(FreeRangesTest, TheLast) {
  FreeRanges free;
  EXPECT_EQ(free.TakeLast(10), (Range{10, 0}));
  free.Give({.start = 0, .size = 2});
  free.Give({.start = 4, .size = 6});
  EXPECT_EQ(free.TakeLast(12), (Range{12, 0}));
  EXPECT_EQ(free.TakeLast(10), (Range{4, 6}));
  EXPECT_EQ(free.TakeLast(10), (Range{10, 0}));
  EXPECT_EQ(free.Take(2), 0u);
}

}  // namespace
}  // namespace pruner
