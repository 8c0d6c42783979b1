// Forty sums of a stage and a function of it: what follows each of the 2^40
// ways through them does not end.
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/sample/default_schedule.h"
#include "pruner/sample/mutate.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/schedule/replay.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

constexpr int kDiamonds = 40;

struct DeepCase {
  const char* name;
  int taps;
  TargetSpec (*target)();
};

class DeepDagsTest : public testing::TestWithParam<DeepCase> {
 protected:
  const ComputeDag dag_ = DiamondsDag(kDiamonds, 512, GetParam().taps);
  const TargetSpec target_ = GetParam().target();
  const SketchContext context_ = {.dag = dag_, .target = target_};
};

TEST_P(DeepDagsTest, CanBeSampledAndMutated) {
  EXPECT_TRUE(DefaultSchedule(context_).ok());
  const auto space = ScheduleSpace::Create(context_);
  ASSERT_TRUE(space.ok()) << space.status();
  Rng rng(1);
  int accepted = 0;
  for (int i = 0; i < 20; ++i) {
    const CandidateDraw draw = Sample(**space, rng).value();
    const auto* candidate = std::get_if<Candidate>(&draw);
    if (candidate == nullptr) continue;
    ++accepted;
    EXPECT_TRUE(Mutate(**space, *candidate, rng).ok());
  }
  EXPECT_GE(accepted, 15);
}

// Stencils that are computed for a row of the output need rows for all that
// follow.
TEST_P(DeepDagsTest, CanBeComputedInOneLoop) {
  const auto space = ScheduleSpace::Create(context_).value();
  Rng rng(1);
  Candidate candidate = {.sketch = space->DrawSketch(rng).value()};
  candidate.values.assign(space->sketch(candidate.sketch).NumValues(), kOpen);
  const auto is_location = [](const Decision& decision) {
    return decision.kind == DecisionKind::kLocation;
  };
  for (const Decision& decision : space->Decisions(candidate.sketch)) {
    if (is_location(decision))
      candidate.values[decision.first] = Location::At(2 * kDiamonds, 0);
  }
  ASSERT_EQ(space->Repair(&rng, candidate).value(), std::nullopt);
  EXPECT_TRUE(space->Check(candidate).ok());
  const LoopState state =
      Replay(context_.dag, *space->ScheduleOf(candidate)).value();
  for (const Decision& decision : space->Decisions(candidate.sketch)) {
    if (!is_location(decision)) continue;
    const StageState& stage = state.stages[decision.stage];
    EXPECT_EQ(stage.at_stage, 2 * kDiamonds);
    EXPECT_GT(stage.axis_extents[0], 1 + 2 * (kDiamonds - 1) - decision.stage);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, DeepDagsTest,
    testing::Values(DeepCase{"StencilsOnCpu", 3, SampleCpuTarget},
                    DeepCase{"PointwiseOnCpu", 1, SampleCpuTarget},
                    DeepCase{"StencilsOnGpu", 3, SampleGpuTarget},
                    DeepCase{"PointwiseOnGpu", 1, SampleGpuTarget}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace pruner
