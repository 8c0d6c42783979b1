#include "pruner/search/spread.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/sample/search_space.h"
#include "pruner/sketch/candidate.h"
#include "pruner/sketch/decision.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

class SpreadTest : public testing::Test {
 protected:
  // A candidate that has a tile with at least two lengths along a spatial axis.
  SpreadTest() {
    Rng rng(1);
    while (tile_ == nullptr) {
      const CandidateDraw draw = Sample(*space_, rng).value();
      if (const auto* candidate = std::get_if<Candidate>(&draw)) {
        drawn_ = *candidate;
        tile_ = TileOf(drawn_);
      }
    }
  }

  // Its innermost tile, and what tells it from others that have the same.
  Candidate Tiled(int32_t innermost, int32_t number) const {
    Candidate candidate = drawn_;
    const absl::Span<int32_t> lengths =
        ValuesOf(*tile_, absl::MakeSpan(candidate.values));
    lengths.front() = number;
    lengths.back() = innermost;
    return candidate;
  }
  std::vector<int32_t> NumbersOf(
      const std::vector<Candidate>& candidates) const {
    std::vector<int32_t> numbers;
    for (const Candidate& candidate : candidates)
      numbers.push_back(candidate.values[tile_->first]);
    return numbers;
  }

  const TargetSpec target_ = SampleCpuTarget();
  const ComputeDag dag_ = ConvBiasReluDag({});
  const std::unique_ptr<ScheduleSpace> space_ =
      ScheduleSpace::Create({.dag = dag_, .target = target_}).value();

 private:
  const Decision* TileOf(const Candidate& candidate) const {
    const auto decisions = space_->Decisions(candidate.sketch);
    const auto tile =
        std::find_if(decisions.begin(), decisions.end(), [](const Decision& d) {
          return d.kind == DecisionKind::kTile && d.count > 1 &&
                 d.lengths().axis_kind == AxisKind::kSpatial;
        });
    return tile == decisions.end() ? nullptr : &*tile;
  }

  Candidate drawn_;
  const Decision* tile_ = nullptr;
};

TEST_F(SpreadTest, RanksDouble) {
  std::vector<Candidate> candidates;
  for (int i = 1; i <= 9; ++i) candidates.push_back(Tiled(1, i));
  EXPECT_THAT(NumbersOf(SpreadOverRanks(candidates)),
              ElementsAre(1, 2, 4, 8, 3, 5, 6, 7, 9));
  EXPECT_TRUE(SpreadOverRanks({}).empty());
}

TEST_F(SpreadTest, HalfHaveTheBestOnesTilesAndHalfOfTheRestTheNext) {
  std::vector<Candidate> candidates;
  for (int i = 1; i <= 9; ++i) candidates.push_back(Tiled(4, i));
  for (int i = 11; i <= 19; ++i) candidates.push_back(Tiled(6, i));
  candidates.push_back(Tiled(4, 10));
  candidates.push_back(Tiled(2, 21));
  candidates.push_back(Tiled(8, 31));
  EXPECT_THAT(NumbersOf(SpreadOverTiles(*space_, candidates, 8)),
              ElementsAre(1, 2, 3, 4, 11, 12, 21, 31, 5, 6, 7, 8, 9, 10, 13, 14,
                          15, 16, 17, 18, 19));
}

TEST_F(SpreadTest, WhatHasTooFewLeavesItsPlaces) {
  const std::vector<Candidate> candidates = {Tiled(4, 1), Tiled(6, 2),
                                             Tiled(6, 3), Tiled(6, 4),
                                             Tiled(8, 5), Tiled(2, 6)};
  EXPECT_THAT(NumbersOf(SpreadOverTiles(*space_, candidates, 4)),
              ElementsAre(1, 2, 3, 5, 4, 6));
  EXPECT_THAT(NumbersOf(SpreadOverTiles(*space_, candidates, 0)),
              ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_TRUE(SpreadOverTiles(*space_, {}, 4).empty());
}

}  // namespace
}  // namespace pruner
