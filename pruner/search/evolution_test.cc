#include "pruner/search/evolution.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/search/candidate_scorer.h"
#include "pruner/sketch/candidate.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

// By how much a candidate's values are like those that it wants: what evolution
// should get at, value by value. Counts what it is asked.
class LikenessScorer : public CandidateScorer {
 public:
  explicit LikenessScorer(Candidate wanted) : wanted_(std::move(wanted)) {}

  absl::Status Add(ScheduleSpace&, const Candidate& candidate) override {
    scores_.push_back(ScoreOf(candidate));
    asked.push_back(candidate);
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<double>> TakeScores() override {
    return std::exchange(scores_, {});
  }
  double ScoreOf(const Candidate& candidate) const {
    if (candidate.sketch != wanted_.sketch) return 0;
    double alike = 0;
    for (size_t i = 0; i < wanted_.values.size(); ++i)
      alike += candidate.values[i] == wanted_.values[i];
    return alike;
  }

  std::vector<Candidate> asked;

 private:
  Candidate wanted_;
  std::vector<double> scores_;
};

class EvolutionTest : public testing::Test {
 protected:
  std::vector<Candidate> Random(size_t count, uint64_t seed) {
    Rng rng(seed);
    return SampleDistinct(*space_, count, 100, rng, rejections_,
                          [](const Candidate&) { return absl::OkStatus(); })
        .value();
  }
  std::vector<Candidate> Run(
      const EvolutionParameters& parameters, size_t keep,
      absl::FunctionRef<bool(const Candidate&)> is_wanted =
          [](const Candidate&) { return true; }) {
    Rng rng(3);
    Evolution evolution(*space_, scorer_, parameters);
    for (const Candidate& candidate : Random(64, 2))
      EXPECT_TRUE(evolution.Add(candidate).ok());
    EXPECT_TRUE(evolution.Run(rng, rejections_).ok());
    return evolution.Best(keep, is_wanted);
  }
  std::vector<double> Scores(const std::vector<Candidate>& candidates) const {
    std::vector<double> scores;
    for (const Candidate& candidate : candidates)
      scores.push_back(scorer_.ScoreOf(candidate));
    return scores;
  }

  const TargetSpec target_ = SampleCpuTarget();
  const ComputeDag dag_ = ConvBiasReluDag({});
  const std::unique_ptr<ScheduleSpace> space_ =
      ScheduleSpace::Create({.dag = dag_, .target = target_}).value();
  RejectionCounts rejections_;
  LikenessScorer scorer_{Random(1, 99)[0]};
};

TEST_F(EvolutionTest, LeavesNothingToScore) {
  {
    Evolution evolution(*space_, scorer_, {.population = 64});
    ASSERT_TRUE(evolution.Add(Random(1, 2)[0]).ok());
  }
  EXPECT_TRUE(scorer_.TakeScores()->empty());
}

TEST_F(EvolutionTest, GenerationsGetNearer) {
  const auto best = [&](int generations) {
    return Scores(Run({.population = 64, .generations = generations}, 1))[0];
  };
  const double at_random = best(0);
  EXPECT_GT(best(4), at_random);
  EXPECT_GE(best(12), best(4));
  EXPECT_GE(best(12), at_random + 2);
}

TEST_F(EvolutionTest, SteeperSelectionGetsNearerInAFewGenerations) {
  const auto mean = [&](double power) {
    const std::vector<double> scores = Scores(Run(
        {.population = 64, .generations = 4, .selection_power = power}, 20));
    return std::accumulate(scores.begin(), scores.end(), 0.0);
  };
  EXPECT_GT(mean(8), mean(1));
}

TEST_F(EvolutionTest, KeepsTheBestOfAllGenerationsOnce) {
  const std::vector<Candidate> best =
      Run({.population = 64, .generations = 3}, 30);
  ASSERT_EQ(best.size(), 30u);
  EXPECT_EQ(absl::flat_hash_set<Candidate>(best.begin(), best.end()).size(),
            30u);
  const std::vector<double> scores = Scores(best);
  EXPECT_TRUE(std::is_sorted(scores.rbegin(), scores.rend()));
  const double least = scores.back();
  // Nothing better was left out.
  const auto better = std::count_if(
      scorer_.asked.begin(), scorer_.asked.end(),
      [&](const Candidate& c) { return scorer_.ScoreOf(c) > least; });
  EXPECT_LT(better, 30);
}

TEST_F(EvolutionTest, AsksForEachScoreOnce) {
  Run({.population = 64, .generations = 4, .mutation_probability = 0.3}, 1);
  std::vector<Candidate> asked = scorer_.asked;
  for (size_t i = 0; i < asked.size(); ++i) {
    EXPECT_EQ(std::count(asked.begin(), asked.end(), asked[i]), 1);
  }
}

TEST_F(EvolutionTest, OnlyThoseThatAreWanted) {
  const std::vector<Candidate> all = Run({.population = 64}, 10);
  const std::vector<Candidate> others =
      Run({.population = 64}, 10,
          [&](const Candidate& candidate) { return candidate != all[0]; });
  EXPECT_EQ(others.size(), 10u);
  EXPECT_EQ(others[0], all[1]);
}

TEST_F(EvolutionTest, DistinctScoresComeFirst) {
  const std::vector<double> best =
      Scores(Run({.population = 64, .distinct_scores = true}, 40));
  ASSERT_EQ(best.size(), 40u);
  std::set<double> distinct;
  for (const Candidate& candidate : scorer_.asked)
    distinct.insert(scorer_.ScoreOf(candidate));
  ASSERT_LT(distinct.size(), 40u);
  for (size_t i = 1; i < distinct.size(); ++i) EXPECT_LT(best[i], best[i - 1]);
  EXPECT_GT(best[distinct.size()], best[distinct.size() - 1]);
}

TEST_F(EvolutionTest, SameSeedSameCandidates) {
  const auto run = [&] {
    return Run({.population = 64, .crossover = 0.1}, 20);
  };
  EXPECT_EQ(run(), run());
}

// Where no score is positive anyone may be a parent; of nobody come none.
TEST_F(EvolutionTest, HopelessAndEmptyPopulations) {
  Candidate none = Random(1, 99)[0];
  none.sketch = 1000;
  scorer_ = LikenessScorer(none);
  EXPECT_EQ(Run({.population = 16}, 5).size(), 5u);
  Rng rng(1);
  Evolution empty(*space_, scorer_, {});
  EXPECT_TRUE(empty.Run(rng, rejections_).ok());
  EXPECT_TRUE(empty.Best(5, [](const Candidate&) { return true; }).empty());
}

}  // namespace
}  // namespace pruner
