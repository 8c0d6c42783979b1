#include "pruner/draft/cpu_psa.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/draft/draft_model_conformance.h"
#include "pruner/features/cpu_symbols.h"
#include "pruner/program/program.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

double At(const CpuCosts& costs, CpuCost cost) {
  return costs[static_cast<int>(cost)];
}

class CpuPsaTest : public testing::Test {
 protected:
  CpuCosts CostsOf(const CpuSymbols& symbols) const {
    return CpuPsa::CostsOf(symbols, target_);
  }

  // One FMA pipe of 16 lanes at 3.6875 GHz, 32 registers, two cores.
  const TargetSpec target_ = SampleCpuTarget();
  // A tile of 4 rows and 2 vectors, as cpu_symbols_test.cc has it.
  const CpuSymbols tile_ = {.is_update = true,
                            .bodies = 2048,
                            .operations = 8,
                            .accumulators = 8,
                            .vector_loads = 2,
                            .broadcasts = 4,
                            .same_accumulators = 64,
                            .kept = 64,
                            .lines = {768, 768, 768},
                            .cores = 2};
};

TEST_F(CpuPsaTest, ATileByHand) {
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

TEST_F(CpuPsaTest, PenaltiesByHand) {
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

TEST_F(CpuPsaTest, MemoryIsBesideTheRest) {
  const CpuPsa all;
  const CpuPsa compute({CpuCost::kL2, CpuCost::kLlc, CpuCost::kMemory});
  CpuSymbols moving = tile_;
  moving.bodies = 0;
  const CpuCosts costs = CostsOf(tile_);
  EXPECT_NEAR(all.Cycles(costs),
              std::hypot(compute.Cycles(costs), all.Cycles(CostsOf(moving))),
              1e-6);
}

// Only the largest of what a core does at once counts.
TEST_F(CpuPsaTest, OperationsHideLoads) {
  CpuSymbols s = tile_;
  const double cycles = CpuPsa().Cycles(CostsOf(s));
  s.vector_loads += 8;
  EXPECT_EQ(CpuPsa().Cycles(CostsOf(s)), cycles);
  s.vector_loads += 8;
  EXPECT_GT(CpuPsa().Cycles(CostsOf(s)), cycles);
  EXPECT_EQ(CpuPsa({CpuCost::kLoads}).Cycles(CostsOf(s)), cycles);
}

TEST_F(CpuPsaTest, EachPenaltyMakesItsDifference) {
  CpuSymbols s = tile_;
  s.read_conflicts = s.write_conflicts = s.gathers = s.guards = 1;
  s.far_lines = s.lines;
  s.reduction_steps = 2;
  CpuSymbols spilling = s;
  spilling.accumulators = 40;
  CpuSymbols aliased = s;
  aliased.kept = 1;
  CpuSymbols loading = s;
  loading.vector_loads = 100;
  CpuSymbols storing = s;
  storing.is_update = false;
  storing.accumulators = 100;
  CpuSymbols waiting = s;
  waiting.accumulators = 1;
  CpuSymbols unrolled = s;
  unrolled.operations = 200;
  const std::vector<CpuSymbols> all = {s,       spilling, aliased, loading,
                                       storing, waiting,  unrolled};
  for (int i = 0; i < static_cast<int>(CpuCost::kStarts); ++i) {
    const auto cost = static_cast<CpuCost>(i);
    bool differs = false;
    for (const CpuSymbols& symbols : all) {
      const CpuCosts costs = CostsOf(symbols);
      differs |= CpuPsa({cost}).Cycles(costs) < CpuPsa().Cycles(costs);
    }
    EXPECT_TRUE(differs) << CpuCostName(cost);
  }
}

TEST_F(CpuPsaTest, ParallelLoopsStartAndAreShared) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  const auto rows = [&](const std::string& length) {
    return *Resolve(
        dag,
        *ParseSchedule("split stage=2 iterator=0 lengths=" + length +
                       " tail=guard\n"
                       "annotate stage=2 iterator=0 "
                       "annotation=parallel\n"),
        target_);
  };
  const CpuCosts costs = CpuPsa::ParallelCosts(rows("4"), target_);
  // Of 16 chunks; and of 64 rows, in which the sums begin.
  EXPECT_NEAR(At(costs, CpuCost::kStarts), 2 * 1000 * 3.6875, 1e-6);
  EXPECT_NEAR(At(costs, CpuCost::kChunks), (8 + 32) * 250 * 3.6875, 1e-6);
  const Program even = rows("32"), odd = rows("24");  // 2 and 3 chunks
  const CpuPsa all, unbalanced({CpuCost::kBalance});
  EXPECT_GT(all.Score(even, target_), all.Score(odd, target_));
  EXPECT_GT(unbalanced.Score(odd, target_), all.Score(odd, target_));
  for (const CpuCost cost : {CpuCost::kStarts, CpuCost::kChunks})
    EXPECT_GT(CpuPsa({cost}).Score(even, target_), all.Score(even, target_));
}

INSTANTIATE_TEST_SUITE_P(
    CpuPsa, DraftModelConformanceTest,
    testing::Values(DraftModelUnderTest{
        .name = "cpu_psa", .make = [] { return std::make_unique<CpuPsa>(); }}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace pruner
