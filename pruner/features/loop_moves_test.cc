#include "pruner/features/loop_moves.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/program.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

// C[i,j] += A[i,k] * B[k,j] in tiles of its reader `out`, 16 rows by 32
// columns, whose first two loops are fused and parallel.
constexpr char kTiles[] =
    "split stage=3 iterator=0 lengths=16 tail=guard\n"
    "split stage=3 iterator=2 lengths=32 tail=guard\n"
    "reorder stage=3 order=0,2,1,3\n"
    "compute_at stage=2 target_stage=3 target_iterator=1\n"
    "fuse stage=3 iterator=0 count=2\n"
    "annotate stage=3 iterator=0 annotation=parallel\n";

class LoopMovesTest : public testing::Test {
 protected:
  void Compute(const char* steps) {
    program_ = *Resolve(dag_, *ParseSchedule(steps), SampleCpuTarget());
    moves_.Compute(program_);
  }
  // The body of the stage, and the loops around it, innermost first.
  const Statement& Body(int stage) const {
    return program_.statements[program_.stages[stage].body];
  }
  std::vector<int> LoopsAround(int stage) const {
    std::vector<int> loops;
    for (int l = Body(stage).loop; l >= 0; l = program_.loops[l].parent)
      loops.push_back(l);
    return loops;
  }

  const ComputeDag dag_ = MatmulReluDag(64, 256, 512);
  Program program_;
  LoopMoves moves_;
};

TEST_F(LoopMovesTest, OwnLoopsMoveTheirSharesAndOuterOnesWhatIsNeeded) {
  Compute(kTiles);
  // Of `out`: the columns and rows of a tile, then the fused loop over tiles:
  // 8 of columns inside of 4 of rows.
  const std::vector<int> out = LoopsAround(3);
  ASSERT_EQ(out.size(), 3u) << program_.ToString();
  EXPECT_THAT(moves_.Of(3, out[0]),
              ElementsAre(AxisMove{.axis = 1, .count = 32, .distance = 1}));
  EXPECT_THAT(moves_.Of(3, out[1]),
              ElementsAre(AxisMove{.axis = 0, .count = 16, .distance = 1}));
  EXPECT_THAT(moves_.Of(3, out[2]),
              ElementsAre(AxisMove{.axis = 1, .count = 8, .distance = 32},
                          AxisMove{.axis = 0, .count = 4, .distance = 16}));
  // Of C: the same loop, by what `out` reads of it.
  const std::vector<int> c = LoopsAround(2);
  EXPECT_EQ(c.back(), out[2]);
  EXPECT_THAT(moves_.Of(2, c.back()),
              testing::UnorderedElementsAre(
                  AxisMove{.axis = 1, .count = 8, .distance = 32},
                  AxisMove{.axis = 0, .count = 4, .distance = 16}));
  EXPECT_EQ(moves_.Depth(c.back()), 0);
  EXPECT_EQ(moves_.Depth(c.front()), 3);
}

// Without any step nothing of C is computed in a loop of another stage.
TEST_F(LoopMovesTest, AtTheRootThereAreOwnLoopsOnly) {
  Compute("");
  std::vector<int64_t> counts;
  for (const int l : LoopsAround(2)) {
    ASSERT_EQ(moves_.Of(2, l).size(), 1u);
    counts.push_back(moves_.Of(2, l)[0].count);
  }
  EXPECT_THAT(counts, ElementsAre(512, 256, 64)) << program_.ToString();
}

TEST(MovedByTest, QuotientsMoveByPartsAndRestsRoundAndRound) {
  EXPECT_EQ(MovedBy({.coefficient = 2}, 3), 6);
  EXPECT_EQ(MovedBy({.coefficient = 1, .divisor = 16}, 8), 0.5);
  EXPECT_EQ(MovedBy({.coefficient = 1, .modulus = 16}, 8), 8);
  EXPECT_EQ(MovedBy({.coefficient = 1, .modulus = 16}, 32), 0);
  EXPECT_EQ(MovedBy({.coefficient = -1}, 2), 2);
}

}  // namespace
}  // namespace pruner
