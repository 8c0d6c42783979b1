#include "pruner/sample/knob_search_space.h"

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/sample/cross.h"
#include "pruner/sample/mutate.h"
#include "pruner/sample/neighbours.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/search_space.h"
#include "pruner/sketch/candidate.h"
#include "pruner/vta/knobs.h"

namespace pruner {
namespace {

class KnobSearchSpaceTest : public testing::Test {
 protected:
  Candidate Draw() { return std::get<Candidate>(*Sample(space_, rng_)); }

  const KnobSpace knobs_{{{"threads", {1, 2}},
                          {"order", {3}},
                          {"tile", {1, 2, 4, 7, 14, 28}},
                          {"channels", {1, 2, 4}}}};
  KnobSearchSpace space_{knobs_};
  Rng rng_{1};
};

TEST_F(KnobSearchSpaceTest, DrawsEveryPoint) {
  std::set<int64_t> drawn;
  for (int i = 0; i < 1000; ++i)
    drawn.insert(knobs_.IndexOf(space_.PointOf(Draw())));
  EXPECT_EQ(static_cast<int64_t>(drawn.size()), knobs_.size());
}

TEST_F(KnobSearchSpaceTest, NeighboursAndDistancesAreTheGrids) {
  for (int64_t index = 0; index < knobs_.size(); ++index) {
    const KnobPoint point = knobs_.PointAt(index);
    const Candidate candidate = space_.CandidateOf(point);
    const auto neighbours = Neighbours(space_, candidate);
    ABSL_ASSERT_OK(neighbours);
    std::vector<KnobPoint> points;
    for (const Candidate& neighbour : *neighbours)
      points.push_back(space_.PointOf(neighbour));
    EXPECT_EQ(points, knobs_.Neighbours(point));
    const KnobPoint other = knobs_.PointAt(knobs_.size() - 1 - index);
    EXPECT_EQ(Distance(space_, candidate, space_.CandidateOf(other)),
              static_cast<double>(ManhattanDistance(point, other)));
  }
}

TEST_F(KnobSearchSpaceTest, MutationsChangeOneKnobThatHasAChoice) {
  std::set<size_t> changed;
  int mutated = 0;
  for (int i = 0; i < 200; ++i) {
    const Candidate parent = Draw();
    const auto child = Mutate(space_, parent, rng_);
    ABSL_ASSERT_OK(child);
    const auto* const candidate = std::get_if<Candidate>(&*child);
    if (candidate == nullptr) continue;
    ++mutated;
    int differences = 0;
    for (size_t k = 0; k < parent.values.size(); ++k) {
      if (candidate->values[k] == parent.values[k]) continue;
      ++differences;
      changed.insert(k);
    }
    EXPECT_EQ(differences, 1);
  }
  EXPECT_GT(mutated, 100);
  EXPECT_EQ(changed, (std::set<size_t>{0, 2, 3}));
}

TEST_F(KnobSearchSpaceTest, ChildrenHaveTheirParentsValues) {
  for (int i = 0; i < 100; ++i) {
    const Candidate a = Draw(), b = Draw();
    const auto child = Cross(space_, a, b, rng_);
    ABSL_ASSERT_OK(child);
    const auto* const candidate = std::get_if<Candidate>(&*child);
    if (candidate == nullptr) continue;
    for (size_t k = 0; k < a.values.size(); ++k) {
      EXPECT_TRUE(candidate->values[k] == a.values[k] ||
                  candidate->values[k] == b.values[k]);
    }
  }
}

TEST_F(KnobSearchSpaceTest, WhatIsBeyondTheKnobsIsDrawnAnewOrUnfit) {
  Candidate candidate = space_.CandidateOf({1, 0, 5, 2});
  EXPECT_EQ(*space_.Repair(nullptr, candidate), std::nullopt);
  candidate.values[2] = 6;
  EXPECT_EQ(*space_.Repair(nullptr, candidate), Rejection::kUnfit);
  EXPECT_EQ(*space_.Repair(&rng_, candidate), std::nullopt);
  EXPECT_LT(candidate.values[2], 6);
  EXPECT_EQ(candidate.values[3], 2);
}

}  // namespace
}  // namespace pruner
