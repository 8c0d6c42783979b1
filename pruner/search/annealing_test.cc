#include "pruner/search/annealing.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/sample/knob_search_space.h"
#include "pruner/sketch/candidate.h"
#include "pruner/vta/grid_knobs.h"
#include "pruner/vta/knobs.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// 20^4 points, of which the best is (17, 3, 12, 8).
class AnnealingTest : public testing::Test {
 protected:
  static double ScoreOf(const Candidate& candidate) {
    const int best[] = {17, 3, 12, 8};
    double score = 0;
    for (size_t k = 0; k < candidate.values.size(); ++k)
      score -= std::abs(candidate.values[k] - best[k]);
    return score;
  }

  absl::StatusOr<std::vector<double>> ScoreAll(
      absl::Span<const Candidate> candidates) {
    scored_ += static_cast<int64_t>(candidates.size());
    std::vector<double> scores;
    for (const Candidate& candidate : candidates) {
      seen_.insert(candidate);
      scores.push_back(forbidden_.contains(candidate)
                           ? -std::numeric_limits<double>::infinity()
                           : ScoreOf(candidate));
    }
    return scores;
  }

  std::vector<Annealing::Planned> Plan(Annealing& annealing, int count,
                                       uint64_t seed = 1) {
    Rng rng(seed);
    auto planned = annealing.Plan(
        count,
        [&](absl::Span<const Candidate> candidates) {
          return ScoreAll(candidates);
        },
        [&](const Candidate& candidate) { return known_.contains(candidate); },
        rng);
    ABSL_EXPECT_OK(planned);
    return *std::move(planned);
  }

  const KnobSpace knobs_ = GridKnobs({20, 20, 20, 20});
  KnobSearchSpace space_{knobs_};
  absl::flat_hash_set<Candidate> known_, forbidden_, seen_;
  int64_t scored_ = 0;
};

TEST_F(AnnealingTest, FindsTheBest) {
  Annealing annealing(space_, {});
  const auto planned = Plan(annealing, 9);
  ASSERT_THAT(planned, SizeIs(9));
  // The best one and its eight neighbours.
  EXPECT_EQ(planned[0].candidate, space_.CandidateOf({17, 3, 12, 8}));
  absl::flat_hash_set<Candidate> distinct;
  for (size_t i = 0; i < planned.size(); ++i) {
    EXPECT_EQ(planned[i].score, i == 0 ? 0 : -1);
    EXPECT_EQ(planned[i].score, ScoreOf(planned[i].candidate));
    distinct.insert(planned[i].candidate);
  }
  EXPECT_THAT(distinct, SizeIs(9));
}

TEST_F(AnnealingTest, PlansNothingKnownOrForbidden) {
  Annealing annealing(space_, {});
  known_.insert(space_.CandidateOf({17, 3, 12, 8}));
  forbidden_.insert(space_.CandidateOf({17, 3, 12, 9}));
  for (const Annealing::Planned& planned : Plan(annealing, 50)) {
    EXPECT_FALSE(known_.contains(planned.candidate));
    EXPECT_FALSE(forbidden_.contains(planned.candidate));
  }
}

TEST_F(AnnealingTest, WhatScoresTooLowIsNotPlanned) {
  Annealing annealing(space_, {.least_score = -1});
  EXPECT_THAT(Plan(annealing, 50), SizeIs(9));
  Annealing hopeless(space_, {.least_score = 1});
  EXPECT_THAT(Plan(hopeless, 50), IsEmpty());
}

TEST_F(AnnealingTest, EndsWhenNothingBetterIsFound) {
  Annealing annealing(space_, {.chains = 4, .patience = 5});
  const auto planned = Plan(annealing, 1);
  EXPECT_THAT(planned, SizeIs(1));
  EXPECT_LT(scored_, 4 * 500);
  scored_ = 0;
  Annealing longer(space_, {.chains = 4, .iterations = 20, .patience = 1000});
  Plan(longer, 1);
  EXPECT_EQ(scored_, 4 * 21);
}

TEST_F(AnnealingTest, ChainsGoOnFromWhereTheyWere) {
  Annealing annealing(space_, {.chains = 16});
  Plan(annealing, 1);
  // They ended at low temperatures, so near the top.
  Annealing anew(space_, {.chains = 16, .iterations = 1});
  const auto first = [&](Annealing& which) {
    seen_.clear();
    Plan(which, 1, 2);
    double sum = 0;
    for (const Candidate& candidate : seen_) sum += ScoreOf(candidate);
    return sum / static_cast<double>(seen_.size());
  };
  EXPECT_GT(first(annealing), first(anew) / 2);
}

TEST_F(AnnealingTest, TheSameSeedPlansTheSame) {
  Annealing a(space_, {.chains = 8, .iterations = 10}),
      b(space_, {.chains = 8, .iterations = 10});
  const auto plan_a = Plan(a, 20, 7), plan_b = Plan(b, 20, 7);
  ASSERT_EQ(plan_a.size(), plan_b.size());
  for (size_t i = 0; i < plan_a.size(); ++i)
    EXPECT_EQ(plan_a[i].candidate, plan_b[i].candidate);
}

TEST_F(AnnealingTest, ErrorsOfScoresComeThrough) {
  Annealing annealing(space_, {});
  Rng rng(1);
  EXPECT_THAT(annealing.Plan(
                  1,
                  [](absl::Span<const Candidate>)
                      -> absl::StatusOr<std::vector<double>> {
                    return absl::UnavailableError("no model");
                  },
                  [](const Candidate&) { return false; }, rng),
              StatusIs(absl::StatusCode::kUnavailable));
}

TEST(AnnealingOptionsTest, OutOfRangeIsRefused) {
  ABSL_EXPECT_OK(CheckAnnealingOptions({}));
  for (const AnnealingOptions& options :
       {AnnealingOptions{.chains = 0}, AnnealingOptions{.iterations = 0},
        AnnealingOptions{.patience = 0}, AnnealingOptions{.temperature = -1}}) {
    EXPECT_THAT(CheckAnnealingOptions(options),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("annealing with")));
  }
}

}  // namespace
}  // namespace pruner
