// Tiles that a stage has at the root only: when they are drawn, and that they
// make no difference elsewhere.
#include <algorithm>
#include <memory>
#include <variant>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/resolve.h"
#include "pruner/sample/mutate.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

constexpr int kFirst = 1, kMiddle = 2;  // stages

class RootTilesTest : public testing::Test {
 protected:
  Candidate SampleOf() {
    while (true) {
      const CandidateDraw draw = Sample(*space_, rng_).value();
      if (const auto* candidate = std::get_if<Candidate>(&draw))
        return *candidate;
    }
  }

  std::vector<size_t> Tiles(const Candidate& candidate) const {
    std::vector<size_t> tiles;
    const auto decisions = space_->Decisions(candidate.sketch);
    for (size_t i = 0; i < decisions.size(); ++i) {
      if (decisions[i].HasLengths() && decisions[i].lengths().is_at_root)
        tiles.push_back(i);
    }
    EXPECT_EQ(tiles.size(), 2u);
    return tiles;
  }

  bool IsTiled(const Candidate& candidate) const {
    const auto decisions = space_->Decisions(candidate.sketch);
    const std::vector<size_t> tiles = Tiles(candidate);
    return std::any_of(tiles.begin(), tiles.end(), [&](size_t i) {
      return candidate.values[decisions[i].first] <
             decisions[i].lengths().extent;
    });
  }

  int32_t LocationOf(const Candidate& candidate, int stage) const {
    for (const Decision& decision : space_->Decisions(candidate.sketch)) {
      if (decision.kind == DecisionKind::kLocation && decision.stage == stage)
        return candidate.values[decision.first];
    }
    return -1;
  }

  const ComputeDag dag_ = StencilsDag(3, 500);
  const TargetSpec target_ = SampleCpuTarget();
  const SketchContext context_ = {.dag = dag_, .target = target_};
  const std::unique_ptr<ScheduleSpace> space_ =
      ScheduleSpace::Create(context_).value();
  Rng rng_ = Rng(1);
};

TEST_F(RootTilesTest, TilesAreDrawnAtTheRootOnly) {
  int at_root = 0, tiled = 0, in_tiles = 0;
  for (int i = 0; i < 1000; ++i) {
    const Candidate candidate = SampleOf();
    const bool is_at_root = LocationOf(candidate, kMiddle) == Location::kRoot;
    for (const size_t tile : Tiles(candidate))
      EXPECT_EQ(space_->IsActive(candidate, tile), is_at_root);
    EXPECT_TRUE(is_at_root || !IsTiled(candidate));
    at_root += is_at_root;
    tiled += IsTiled(candidate);
    const int32_t first = LocationOf(candidate, kFirst);
    in_tiles += IsTiled(candidate) && Location::IsAt(first) &&
                Location::StageOf(first) == kMiddle;
  }
  EXPECT_GT(at_root, 50);
  EXPECT_GT(tiled, at_root / 2);
  EXPECT_LT(tiled, at_root);
  EXPECT_GT(in_tiles, tiled / 4);
}

TEST_F(RootTilesTest, ElsewhereTheStageIsAsIfItHadNone) {
  int compared = 0;
  for (int i = 0; i < 1000; ++i) {
    const Candidate candidate = SampleOf();
    const int32_t first = LocationOf(candidate, kFirst);
    const bool is_host =
        Location::IsAt(first) && Location::StageOf(first) == kMiddle;
    if (LocationOf(candidate, kMiddle) == Location::kRoot || is_host) continue;
    ++compared;
    const Schedule schedule = *space_->ScheduleOf(candidate);
    Schedule plain = schedule;
    std::erase_if(plain.steps, [&](const TransformStep& step) {
      const bool is_cut = std::holds_alternative<SplitStep>(step) ||
                          std::holds_alternative<ReorderStep>(step);
      return is_cut && StageOf(step) == kMiddle;
    });
    ASSERT_EQ(plain.steps.size() + 3, schedule.steps.size());
    // Only the innermost of its loops is vectorized.
    for (TransformStep& step : plain.steps) {
      if (auto* mark = std::get_if<AnnotateStep>(&step);
          mark != nullptr && mark->stage == kMiddle)
        mark->iterator -= 2;
    }
    EXPECT_EQ(Resolve(dag_, schedule, target_)->ToString(),
              Resolve(dag_, plain, target_)->ToString())
        << PrintSchedule(schedule);
  }
  EXPECT_GT(compared, 100);
}

TEST_F(RootTilesTest, WhatComesToTheRootGetsTiles) {
  int came = 0, tiled = 0;
  for (int i = 0; i < 5000; ++i) {
    const Candidate before = SampleOf();
    if (LocationOf(before, kMiddle) == Location::kRoot) continue;
    const CandidateDraw draw = Mutate(*space_, before, rng_).value();
    const auto* after = std::get_if<Candidate>(&draw);
    if (after == nullptr || after->sketch != before.sketch ||
        LocationOf(*after, kMiddle) != Location::kRoot)
      continue;
    ++came;
    tiled += IsTiled(*after);
  }
  EXPECT_GT(came, 10);
  EXPECT_GT(tiled, came / 2);
}

}  // namespace
}  // namespace pruner
