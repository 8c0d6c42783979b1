#include "pruner/vta/knobs.h"

#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using testing::ElementsAre;

KnobSpace Grid() { return KnobSpace({{"a", {1, 2, 4}}, {"b", {1, 3}}}); }

TEST(KnobsTest, IndicesAndPoints) {
  const KnobSpace grid = Grid();
  EXPECT_EQ(grid.size(), 6);
  EXPECT_THAT(grid.PointAt(0), ElementsAre(0, 0));
  EXPECT_THAT(grid.PointAt(1), ElementsAre(0, 1));
  EXPECT_THAT(grid.PointAt(4), ElementsAre(2, 0));
  for (int64_t i = 0; i < grid.size(); ++i)
    EXPECT_EQ(grid.IndexOf(grid.PointAt(i)), i);
}

TEST(KnobsTest, Neighbours) {
  EXPECT_THAT(
      Grid().Neighbours({1, 0}),
      ElementsAre(ElementsAre(0, 0), ElementsAre(2, 0), ElementsAre(1, 1)));
  EXPECT_THAT(Grid().Neighbours({2, 1}),
              ElementsAre(ElementsAre(1, 1), ElementsAre(2, 0)));
}

TEST(KnobsTest, Distance) {
  EXPECT_EQ(ManhattanDistance({0, 3, 1}, {2, 1, 1}), 4);
  EXPECT_EQ(ManhattanDistance({1, 1}, {1, 1}), 0);
}

// Four of the paper's sizes are one more than a product of numbers of values
// can be.
TEST(KnobsTest, SpacesAreAsLargeAsThePapers) {
  const std::set<int> one_less = {53, 59, 78, 106};
  for (const VtaWorkload& workload : VtaWorkloads()) {
    EXPECT_EQ(VtaKnobs(workload, VtaSpec()).size(),
              workload.paper_size - (one_less.contains(workload.id) ? 1 : 0))
        << workload.id;
  }
}

TEST(KnobsTest, ValuesOfAWorkload) {
  const KnobSpace space = VtaKnobs(*FindVtaWorkload(59), VtaSpec());
  ASSERT_EQ(space.knobs().size(), 8u);
  EXPECT_EQ(space.knobs()[2].name, "loop_order");
  EXPECT_THAT(space.knobs()[3].values, ElementsAre(1, 2));
  EXPECT_THAT(space.knobs()[4].values, ElementsAre(1, 7));
  EXPECT_THAT(space.knobs()[6].values,
              ElementsAre(1, 2, 4, 8, 16, 32, 64, 128));
  EXPECT_THAT(space.knobs()[7].values, ElementsAre(1, 2, 4, 8, 16, 32));
}

}  // namespace
}  // namespace pruner
