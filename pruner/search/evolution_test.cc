#include "pruner/search/evolution.h"

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
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

  absl::StatusOr<std::vector<double>> Score(
      ScheduleSpace&, absl::Span<const Candidate> candidates) override {
    std::vector<double> scores;
    for (const Candidate& candidate : candidates) {
      scores.push_back(ScoreOf(candidate));
      asked.push_back(candidate);
    }
    return scores;
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
};

class EvolutionTest : public testing::Test {
 protected:
  std::vector<Candidate> Random(size_t count, uint64_t seed) {
    Rng rng(seed);
    return SampleDistinct(*space_, count, 100, rng, rejections_).value();
  }
  std::vector<ScoredCandidate> Run(
      const EvolutionParameters& parameters, size_t keep,
      const std::function<bool(const Candidate&)>& is_wanted =
          [](const Candidate&) { return true; }) {
    Rng rng(3);
    return Evolve(*space_, Random(64, 2), scorer_, parameters, keep, is_wanted,
                  rng, rejections_)
        .value();
  }

  const TargetSpec target_ = SampleCpuTarget();
  const ComputeDag dag_ = ConvBiasReluDag({});
  const std::unique_ptr<ScheduleSpace> space_ =
      ScheduleSpace::Create({.dag = dag_, .target = target_}).value();
  RejectionCounts rejections_;
  LikenessScorer scorer_{Random(1, 99)[0]};
};

TEST_F(EvolutionTest, GenerationsGetNearer) {
  const auto best = [&](int generations) {
    return Run({.population = 64, .generations = generations}, 1)[0].score;
  };
  const double at_random = best(0);
  EXPECT_GT(best(4), at_random);
  EXPECT_GE(best(12), best(4));
  EXPECT_GE(best(12), at_random + 2);
}

TEST_F(EvolutionTest, SteeperSelectionGetsNearerInAFewGenerations) {
  const auto mean = [&](double power) {
    double sum = 0;
    const auto best =
        Run({.population = 64, .generations = 4, .selection_power = power}, 20);
    for (const ScoredCandidate& scored : best) sum += scored.score;
    return sum;
  };
  EXPECT_GT(mean(8), mean(1));
}

TEST_F(EvolutionTest, KeepsTheBestOfAllGenerationsOnce) {
  const std::vector<ScoredCandidate> best =
      Run({.population = 64, .generations = 3}, 30);
  ASSERT_EQ(best.size(), 30u);
  std::set<std::vector<int32_t>> seen;
  double least = best[0].score;
  for (const ScoredCandidate& scored : best) {
    EXPECT_LE(scored.score, least);
    least = scored.score;
    EXPECT_EQ(scored.score, scorer_.ScoreOf(scored.candidate));
    std::vector<int32_t> all = {scored.candidate.sketch};
    all.insert(all.end(), scored.candidate.values.begin(),
               scored.candidate.values.end());
    EXPECT_TRUE(seen.insert(all).second);
  }
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
  const std::vector<ScoredCandidate> all = Run({.population = 64}, 10);
  const std::vector<ScoredCandidate> others =
      Run({.population = 64}, 10, [&](const Candidate& candidate) {
        return candidate != all[0].candidate;
      });
  EXPECT_EQ(others.size(), 10u);
  EXPECT_EQ(others[0].candidate, all[1].candidate);
}

TEST_F(EvolutionTest, DistinctScoresComeFirst) {
  const std::vector<ScoredCandidate> best =
      Run({.population = 64, .distinct_scores = true}, 40);
  ASSERT_EQ(best.size(), 40u);
  std::set<double> distinct;
  for (const Candidate& candidate : scorer_.asked)
    distinct.insert(scorer_.ScoreOf(candidate));
  ASSERT_LT(distinct.size(), 40u);
  for (size_t i = 1; i < distinct.size(); ++i)
    EXPECT_LT(best[i].score, best[i - 1].score);
  EXPECT_GT(best[distinct.size()].score, best[distinct.size() - 1].score);
}

TEST_F(EvolutionTest, SameSeedSameCandidates) {
  const auto run = [&] {
    std::vector<Candidate> candidates;
    for (const auto& scored : Run({.population = 64, .crossover = 0.1}, 20))
      candidates.push_back(scored.candidate);
    return candidates;
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
  EXPECT_TRUE(Evolve(
                  *space_, {}, scorer_, {}, 5,
                  [](const Candidate&) { return true; }, rng, rejections_)
                  .value()
                  .empty());
}

}  // namespace
}  // namespace pruner
