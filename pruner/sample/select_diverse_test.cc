#include "pruner/sample/select_diverse.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/sample/knob_search_space.h"
#include "pruner/sample/neighbours.h"
#include "pruner/sample/presample.h"
#include "pruner/sketch/candidate.h"
#include "pruner/vta/knobs.h"

namespace pruner {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class SelectDiverseTest : public testing::Test {
 protected:
  // Even points are valid, odd ones are not.
  SelectDiverseTest() {
    for (int64_t i = 0; i < knobs_.size(); ++i) {
      const Candidate candidate = space_.CandidateOf(knobs_.PointAt(i));
      (i % 2 == 0 ? all_.valid : all_.invalid).push_back(candidate);
    }
  }

  double LeastDistance(const std::vector<Candidate>& candidates) const {
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < candidates.size(); ++i) {
      for (size_t j = 0; j < i; ++j)
        least = std::min(least, Distance(space_, candidates[i], candidates[j]));
    }
    return least;
  }

  double ToNearest(const Candidate& candidate,
                   absl::Span<const Candidate> others) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Candidate& other : others)
      nearest = std::min(nearest, Distance(space_, candidate, other));
    return nearest;
  }

  // How many of the selected are valid.
  int64_t Valid(const std::vector<Candidate>& selected) const {
    EXPECT_EQ(
        absl::flat_hash_set<Candidate>(selected.begin(), selected.end()).size(),
        selected.size());
    return absl::c_count_if(selected, [&](const Candidate& candidate) {
      return absl::c_linear_search(all_.valid, candidate);
    });
  }

  const KnobSpace knobs_{{{"a", {1, 2, 4, 8, 16, 32}},
                          {"b", {1, 2, 4, 7, 14, 28}},
                          {"c", {1, 2, 3, 4}}}};
  const KnobSearchSpace space_{knobs_};
  Presample all_;
  Rng rng_{1};
};

TEST_F(SelectDiverseTest, EachIsTheFarthestFromThoseBefore) {
  std::vector<Candidate> line;
  for (const int position : {0, 1, 2, 3, 4, 5})
    line.push_back(space_.CandidateOf({position, 0, 0}));
  std::vector<Candidate> chosen = FarthestPoints(space_, line, 4, rng_);
  ASSERT_THAT(chosen, SizeIs(4));
  for (; chosen.size() > 1; chosen.pop_back()) {
    const absl::Span<const Candidate> before =
        absl::MakeConstSpan(chosen).first(chosen.size() - 1);
    const double distance = ToNearest(chosen.back(), before);
    for (const Candidate& other : line)
      EXPECT_LE(ToNearest(other, before), distance);
  }
  EXPECT_THAT(FarthestPoints(space_, line, 100, rng_), SizeIs(6));
  EXPECT_THAT(FarthestPoints(space_, {}, 3, rng_), IsEmpty());
  EXPECT_THAT(FarthestPoints(space_, line, 0, rng_), IsEmpty());
}

TEST_F(SelectDiverseTest, IsFartherApartThanChance) {
  const std::vector<Candidate> selected =
      FarthestPoints(space_, all_.valid, 8, rng_);
  double chance = 0;
  std::vector<Candidate> shuffled = all_.valid;
  for (int i = 0; i < 20; ++i) {
    rng_.Shuffle(shuffled);
    chance += LeastDistance({shuffled.begin(), shuffled.begin() + 8}) / 20;
  }
  EXPECT_GE(LeastDistance(selected), 2 * chance);
}

TEST_F(SelectDiverseTest, HasItsShareOfBothKinds) {
  for (const auto& [share, valid] : std::vector<std::pair<double, int>>{
           {0, 0}, {0.25, 5}, {0.5, 10}, {0.75, 15}, {1, 20}}) {
    const std::vector<Candidate> selected =
        SelectDiverse(space_, all_, 20, share, rng_);
    EXPECT_THAT(selected, SizeIs(20));
    EXPECT_EQ(Valid(selected), valid) << share;
  }
}

TEST_F(SelectDiverseTest, WhatOneKindLacksTheOtherHas) {
  Presample few = all_;
  few.valid.resize(3);
  EXPECT_EQ(Valid(SelectDiverse(space_, few, 20, 0.5, rng_)), 3);
  EXPECT_THAT(SelectDiverse(space_, few, 20, 0.5, rng_), SizeIs(20));
  few = all_;
  few.invalid.resize(2);
  EXPECT_EQ(Valid(SelectDiverse(space_, few, 20, 0.5, rng_)), 18);
  few.valid.clear();
  EXPECT_THAT(SelectDiverse(space_, few, 20, 0.5, rng_), SizeIs(2));
}

}  // namespace
}  // namespace pruner
