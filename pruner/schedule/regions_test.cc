#include "pruner/schedule/regions.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/schedule/infer_bounds.h"
#include "pruner/schedule/replay.h"

namespace pruner {
namespace {

// Of stages 1 to 2 * diamonds, of which the last is the output.
constexpr int kDiamonds = 40;
constexpr int kOutput = 2 * kDiamonds;
constexpr int64_t kSize = 128;

LoopState AllAt(const ComputeDag& dag, int loop) {
  LoopState state = NaiveState(dag);
  for (int i = 1; i < kOutput; ++i) {
    state.stages[i].location = ComputeLocation::kAt;
    state.stages[i].at_stage = kOutput;
    state.stages[i].at_iterator = loop;
  }
  return state;
}

// Recursion along each of the 2^40 ways would not end.
TEST(RegionsTest, DiamondsInALoopGrowByTheirStencils) {
  const ComputeDag dag = DiamondsDag(kDiamonds, kSize, /*taps=*/3);
  LoopState state = AllAt(dag, 0);
  ASSERT_TRUE(InferBounds(state).ok());
  for (int i = 0; i < kDiamonds; ++i) {
    // All that follow read a row more on either side.
    const std::vector<int64_t> f = {1 + 2 * (kDiamonds - 1 - i), kSize};
    EXPECT_EQ(state.stages[2 * i + 1].axis_extents, f) << i;
  }
  EXPECT_EQ(Regions(state).Required(0, kOutput, 0),
            (std::vector<int64_t>{1 + 2 * kDiamonds, kSize}));
}

TEST(RegionsTest, DiamondsThatAreInlinedAreInsideTheirReadersLoops) {
  const ComputeDag dag = DiamondsDag(kDiamonds, kSize, /*taps=*/3);
  LoopState state = NaiveState(dag);
  for (int i = 1; i < kOutput; ++i)
    state.stages[i].location = ComputeLocation::kInlined;
  Regions regions(state);
  EXPECT_EQ(regions.Hosts(0), std::vector<int>{kOutput});
  EXPECT_TRUE(regions.ReadersAreInside(0, kOutput, 1));
  EXPECT_EQ(regions.Required(0, kOutput, 1),
            (std::vector<int64_t>{1 + 2 * kDiamonds, 1}));
}

TEST(RegionsTest, HostsAreThoseOfAllReaders) {
  const ComputeDag dag = DiamondsDag(2, kSize, /*taps=*/3);
  LoopState state = NaiveState(dag);
  const auto compute_at = [&](int stage, int at, int loop) {
    state.stages[stage].location = ComputeLocation::kAt;
    state.stages[stage].at_stage = at;
    state.stages[stage].at_iterator = loop;
  };
  // Stage 2 is read by 3, which is in the columns' loop, and by 4, the output.
  compute_at(3, 4, 1);
  {
    Regions regions(state);
    EXPECT_EQ(regions.Hosts(2), std::vector<int>{4});
    EXPECT_TRUE(regions.ReadersAreInside(2, 4, 1));
    EXPECT_FALSE(regions.ReadersAreInside(2, 3, 0));
  }
  // It and what reads it is in the rows' loop: its own loops are as far out.
  compute_at(3, 4, 0);
  compute_at(2, 4, 0);
  {
    Regions regions(state);
    EXPECT_EQ(regions.Hosts(1), (std::vector<int>{4, 2}));
    EXPECT_TRUE(regions.ReadersAreInside(1, 2, 1));
    EXPECT_TRUE(regions.ReadersAreInside(1, 4, 0));
    EXPECT_FALSE(regions.ReadersAreInside(1, 4, 1));
  }
  // At the root nothing holds both.
  compute_at(3, -1, -1);
  state.stages[3].location = ComputeLocation::kRoot;
  EXPECT_TRUE(Regions(state).Hosts(2).empty());
  EXPECT_TRUE(Regions(state).Hosts(4).empty());
}

// c[y] = a[y] + b[y/4], b[y] = a[4y]: b is a quarter of a, which so many rows
// of c at a time need.
int64_t RowsOfPyramid(int64_t rows) {
  const auto index = [](int64_t coefficient, int64_t divisor) {
    return IndexExpr{.terms = {{.axis = 0, .coefficient = coefficient}},
                     .divisor = divisor};
  };
  const auto stage = [](const char* name, int64_t size) {
    Stage made;
    made.name = name;
    made.shape = {size};
    made.axes = {{.name = "y", .extent = size}};
    return made;
  };
  Stage b = stage("b", kSize / 4), c = stage("c", kSize);
  b.reads = {{.stage = 0, .indices = {index(4, 1)}}};
  c.reads = {{.stage = 0, .indices = {index(1, 1)}},
             {.stage = 1, .indices = {index(1, 4)}}};
  c.is_output = true;
  const ComputeDag dag = *ComputeDag::Create({stage("a", kSize), b, c});
  LoopState state = *ReplayStructure(
      dag,
      {.steps = {SplitStep{.stage = 2, .iterator = 0, .lengths = {rows}}}});
  EXPECT_TRUE(InferBounds(state).ok());
  return Regions(state).Required(0, 2, 0)[0];
}

TEST(RegionsTest, LevelsOfAPyramidKeepPaceWhereRowsDivide) {
  EXPECT_EQ(RowsOfPyramid(16), 16);
  EXPECT_EQ(RowsOfPyramid(4), 4);
  EXPECT_EQ(RowsOfPyramid(6), kSize);
}

}  // namespace
}  // namespace pruner
