#include "pruner/draft/cpu_psa.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/draft/draft_model_conformance.h"
#include "pruner/features/cpu_costs.h"
#include "pruner/features/cpu_symbols.h"
#include "pruner/features/sample_symbols.h"
#include "pruner/program/program.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

class CpuPsaTest : public testing::Test {
 protected:
  CpuCosts CostsOf(const CpuSymbols& symbols) const {
    return StatementCosts(symbols, target_);
  }

  // One FMA pipe of 16 lanes at 3.6875 GHz, 32 registers, two cores.
  const TargetSpec target_ = SampleCpuTarget();
  const CpuSymbols tile_ = SampleTileSymbols();
};

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
  s.awaited_lines = s.awaited_in_body = 1;
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

TEST_F(CpuPsaTest, ParallelLoopsAreShared) {
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
  const Program even = rows("32"), odd = rows("24");  // 2 and 3 chunks
  const CpuPsa all, unbalanced({CpuCost::kBalance});
  EXPECT_GT(all.Score(even, target_), all.Score(odd, target_));
  EXPECT_GT(unbalanced.Score(odd, target_), all.Score(odd, target_));
  for (const CpuCost cost : {CpuCost::kStarts, CpuCost::kChunks})
    EXPECT_GT(CpuPsa({cost}).Score(even, target_), all.Score(even, target_));
}

// What memory adds to the time of stencils on images of unknown sizes.
class CpuPsaMappingTest : public CpuPsaTest {
 protected:
  double NsPerPixel(int stencils, int64_t size, const Schedule& schedule = {},
                    bool is_known = false) const {
    std::vector<Stage> stages = StencilsDag(stencils, size).stages();
    stages[0].sizes_are_known = is_known;
    const ComputeDag dag = *ComputeDag::Create(stages);
    const Program program = *Resolve(dag, schedule, target_);
    double cycles = CpuPsa().Cycles(ParallelCosts(program, target_));
    CpuSymbolExtractor extractor;
    for (const CpuSymbols& symbols : extractor.Extract(program, target_)) {
      cycles +=
          CpuPsa().Cycles(StatementCosts(symbols, target_)) / symbols.cores;
    }
    const double ns = cycles / GigaHertzOf(target_);
    return (1e9 / CpuPsa().Score(program, target_) - ns) /
           static_cast<double>(size * size);
  }

  // A page of 1,024 pixels takes 700 ns.
  static constexpr double kPixelNs = 700.0 / 1024;
};

// Images that are stored between others are mapped at each call if one is too
// large to be kept, or all together are.
TEST_F(CpuPsaMappingTest, LargeTemporariesAreMappedAnew) {
  EXPECT_NEAR(NsPerPixel(2, 1024), 0, 1e-3);
  EXPECT_NEAR(NsPerPixel(2, 4096), kPixelNs, 1e-2);
  EXPECT_NEAR(NsPerPixel(3, 1024), 0, 1e-3);
  // But for a rest of 128 KiB.
  EXPECT_NEAR(NsPerPixel(4, 1024), (3 - 1.0 / 32) * kPixelNs, 1e-2);
  EXPECT_NEAR(NsPerPixel(4, 4096, {}, /*is_known=*/true), 0, 1e-3);
}

// Two halves of 2,048 rows are as much as the whole, and more of less are kept.
TEST_F(CpuPsaMappingTest, SoIsWhatIsAllocatedInLoops) {
  const auto in_parts = [&](int rows) {
    return NsPerPixel(
        2, 4096,
        *ParseSchedule(absl::StrCat("split stage=2 iterator=0 lengths=", rows,
                                    " tail=guard\n"
                                    "compute_at stage=1 target_stage=2 "
                                    "target_iterator=0\n")));
  };
  EXPECT_NEAR(in_parts(2048), kPixelNs, 1e-2);
  EXPECT_NEAR(in_parts(1024), 0, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(
    CpuPsa, DraftModelConformanceTest,
    testing::Values(DraftModelUnderTest{
        .name = "cpu_psa", .make = [] { return std::make_unique<CpuPsa>(); }}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace pruner
