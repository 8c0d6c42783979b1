#include "pruner/schedule/split_iterator.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

std::vector<int64_t> Extents(const std::vector<Iterator>& loops) {
  std::vector<int64_t> extents;
  for (const Iterator& loop : loops) extents.push_back(loop.extent);
  return extents;
}

std::vector<int64_t> Strides(const std::vector<Iterator>& loops) {
  std::vector<int64_t> strides;
  for (const Iterator& loop : loops) {
    const bool is_fused = loop.parts.size() > 1;
    strides.push_back(is_fused ? loop.stride : loop.parts[0].stride);
  }
  return strides;
}

Iterator Loop(int64_t extent) {
  return {.parts = {{.axis = 0, .extent = extent}}, .extent = extent};
}

// As FuseStep makes it.
Iterator Fused(int64_t outer, int64_t inner) {
  return {.parts = {{.axis = 0, .extent = outer}, {.axis = 1, .extent = inner}},
          .extent = outer * inner};
}

TEST(SplitIteratorTest, TheOutermostCountsWhatIsLeftRoundedUp) {
  const auto loops = SplitIterator(Loop(100), {4, 8});
  ASSERT_TRUE(loops.ok()) << loops.status();
  EXPECT_THAT(Extents(*loops), ElementsAre(4, 4, 8));
  EXPECT_THAT(Strides(*loops), ElementsAre(32, 8, 1));
}

TEST(SplitIteratorTest, ASplitLoopMayBeSplitAgain) {
  const std::vector<Iterator> first = *SplitIterator(Loop(100), {10});
  const std::vector<Iterator> second = *SplitIterator(first[0], {5});
  EXPECT_THAT(Extents(second), ElementsAre(2, 5));
  EXPECT_THAT(Strides(second), ElementsAre(50, 10));
  EXPECT_NE(second[0].parts[0].path, second[1].parts[0].path);
  EXPECT_NE(second[0].parts[0].path, first[0].parts[0].path);
}

TEST(SplitIteratorTest, FusedLoopsCountThroughBothParts) {
  const auto loops = SplitIterator(Fused(6, 10), {8});
  ASSERT_TRUE(loops.ok()) << loops.status();
  EXPECT_THAT(Extents(*loops), ElementsAre(8, 8));
  EXPECT_THAT(Strides(*loops), ElementsAre(8, 1));
  EXPECT_EQ((*loops)[0].limit, 0);
  EXPECT_EQ((*loops)[1].limit, 8);
}

TEST(SplitIteratorTest, NothingIsKnownOutsideAHole) {
  EXPECT_THAT(Extents(*SplitIterator(Loop(100), {0, 8})), ElementsAre(0, 0, 8));
  EXPECT_THAT(Extents(*SplitIterator(Fused(6, 10), {0, 8})),
              ElementsAre(0, 0, 8));
}

TEST(SplitIteratorTest, RefusesWhatIsNoSplit) {
  EXPECT_EQ(SplitIterator(Loop(100), {}).status().message(),
            "bad number of lengths");
  EXPECT_EQ(
      SplitIterator(Loop(100), std::vector<int64_t>(15, 1)).status().message(),
      "bad number of lengths");
  EXPECT_EQ(SplitIterator(Loop(100), {4, -1}).status().message(),
            "negative length");
  EXPECT_EQ(SplitIterator(Loop(100), {int64_t{1} << 40}).status().message(),
            "a loop of more than 2147483647 iterations");
  EXPECT_EQ(SplitIterator(Loop(100), {1 << 20, 1 << 20}).status().message(),
            "a loop of more than 2147483647 iterations");
}

}  // namespace
}  // namespace pruner
