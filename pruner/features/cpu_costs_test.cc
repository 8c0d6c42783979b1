#include "pruner/features/cpu_costs.h"

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/features/cpu_symbols.h"
#include "pruner/features/sample_symbols.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

double At(const CpuCosts& costs, CpuCost cost) {
  return costs[static_cast<int>(cost)];
}

class CpuCostsTest : public testing::Test {
 protected:
  CpuCosts CostsOf(const CpuSymbols& symbols) const {
    return StatementCosts(symbols, target_);
  }

  // One FMA pipe of 16 lanes at 3.6875 GHz, 32 registers, two cores.
  const TargetSpec target_ = SampleCpuTarget();
  const CpuSymbols tile_ = SampleTileSymbols();
};

TEST_F(CpuCostsTest, ATileByHand) {
  const CpuCosts costs = CostsOf(tile_);
  EXPECT_EQ(At(costs, CpuCost::kOperations), 2048 * 8);
  EXPECT_EQ(At(costs, CpuCost::kLoads), 2048 * 6 / 2);
  EXPECT_EQ(At(costs, CpuCost::kStores), 0);
  EXPECT_EQ(At(costs, CpuCost::kLatency), 2048 * 4);
  EXPECT_EQ(At(costs, CpuCost::kSpills), 0);
  EXPECT_EQ(At(costs, CpuCost::kUnrolledReductions), 0);
  EXPECT_EQ(At(costs, CpuCost::kPasses), 2048 * 8 / 64);
  EXPECT_EQ(At(costs, CpuCost::kAliased), 0);
  EXPECT_EQ(At(costs, CpuCost::kIterations), 2048);
  // 64 bytes at 115 of 3.6875 bytes a cycle, and half of 180 and 35.
  EXPECT_NEAR(At(costs, CpuCost::kL2), 768 * 64 / (115 / 3.6875), 1e-6);
  EXPECT_NEAR(At(costs, CpuCost::kLlc), 768 * 64 / (90 / 3.6875), 1e-6);
  EXPECT_NEAR(At(costs, CpuCost::kMemory), 768 * 64 / (17.5 / 3.6875), 1e-6);
}

TEST_F(CpuCostsTest, PenaltiesByHand) {
  CpuSymbols s = tile_;
  s.accumulators = s.operations = 32;  // and 2 vectors, in 30 registers
  EXPECT_EQ(At(CostsOf(s), CpuCost::kSpills), 2048 * 4);
  EXPECT_EQ(At(CostsOf(s), CpuCost::kStores), 2048 * 4);
  EXPECT_EQ(At(CostsOf(s), CpuCost::kLoads), 2048 * (6 + 4) / 2);
  s.reduction_steps = 2;  // a vector of a step, three registers of all, twice
  EXPECT_EQ(At(CostsOf(s), CpuCost::kSpills), 2048 * 2 * 6);
  EXPECT_EQ(At(CostsOf(s), CpuCost::kUnrolledReductions), 2048 * 32);
  s = tile_;
  s.accumulators = 1;
  EXPECT_EQ(At(CostsOf(s), CpuCost::kLatency), 2048 * 32);
  s.same_accumulators = 4;  // 80 operations, of 448 that run at once
  EXPECT_NEAR(At(CostsOf(s), CpuCost::kLatency), 2048 * 32 * 80 / 448.0, 1e-6);
  s = tile_;
  s.kept = 1;
  s.read_conflicts = 3;
  s.write_conflicts = 2;
  EXPECT_EQ(At(CostsOf(s), CpuCost::kAliased), 2048 * 8);
  EXPECT_EQ(At(CostsOf(s), CpuCost::kStores), 2048 * 8);
  EXPECT_EQ(At(CostsOf(s), CpuCost::kPasses), 0);
  EXPECT_EQ(At(CostsOf(s), CpuCost::kReadConflicts), 2048 * 3);
  EXPECT_EQ(At(CostsOf(s), CpuCost::kWriteConflicts), 2048 * 2);
}

// 100 ns each, but of those that fit into the window of 448 instructions at
// once: one for every four operations, which are six instructions.
TEST_F(CpuCostsTest, SeveralLinesAreAwaitedAtOnce) {
  CpuSymbols s = tile_;
  s.awaited_lines = 1000;
  s.awaited_in_body = 2;
  EXPECT_NEAR(At(CostsOf(s), CpuCost::kAwaited), 1000 * 368.75 * 6 / 448, 1e-6);
  s.operations = 800;
  EXPECT_NEAR(At(CostsOf(s), CpuCost::kAwaited), 1000 * 368.75, 1e-6);
  EXPECT_EQ(At(CostsOf(tile_), CpuCost::kAwaited), 0);
}

TEST_F(CpuCostsTest, ParallelLoopsStart) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  const CpuCosts costs = ParallelCosts(
      *Resolve(
          dag,
          *ParseSchedule("split stage=2 iterator=0 lengths=4 tail=guard\n"
                         "annotate stage=2 iterator=0 annotation=parallel\n"),
          target_),
      target_);
  // Of 16 chunks; and of 64 rows, in which the sums begin.
  EXPECT_NEAR(At(costs, CpuCost::kStarts), 2 * 1000 * 3.6875, 1e-6);
  EXPECT_NEAR(At(costs, CpuCost::kChunks), (8 + 32) * 250 * 3.6875, 1e-6);
}

}  // namespace
}  // namespace pruner
