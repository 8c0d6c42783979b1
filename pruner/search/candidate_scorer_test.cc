#include "pruner/search/candidate_scorer.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/cost/random_cost_model.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/draft/random_draft_model.h"
#include "pruner/features/columns.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/search/evolution.h"
#include "pruner/sketch/candidate.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::DoubleNear;
using ::testing::Pointwise;

constexpr ColumnSet kColumns = ColumnSet::kAll;

double Mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

double Deviation(const std::vector<double>& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()) -
                   Mean(values) * Mean(values));
}

class CandidateScorerTest : public testing::Test {
 protected:
  std::vector<Candidate> Random(size_t count, uint64_t seed) {
    Rng rng(seed);
    RejectionCounts rejections;
    return SampleDistinct(*space_, count, 100, rng, rejections,
                          [](const Candidate&) { return absl::OkStatus(); })
        .value();
  }
  std::vector<double> Scores(CandidateScorer& scorer,
                             const std::vector<Candidate>& candidates) {
    for (const Candidate& candidate : candidates)
      ABSL_EXPECT_OK(scorer.Add(*space_, candidate));
    return scorer.TakeScores().value();
  }
  LearnedScorer Learned(const SecondOpinion& second = {}) {
    return {learned_, kColumns, target_, second};
  }

  const TargetSpec target_ = SampleCpuTarget();
  const ComputeDag dag_ = ConvBiasReluDag({});
  const std::unique_ptr<ScheduleSpace> space_ =
      ScheduleSpace::Create({.dag = dag_, .target = target_}).value();
  RandomCostModel learned_{1};
  const RandomDraftModel draft_{2};
  const std::vector<Candidate> candidates_ = Random(100, 3);
};

TEST_F(CandidateScorerTest, WithoutASecondOpinionScoresAreTheModels) {
  ColumnExtractor extractor(kColumns);
  FeatureRows rows = extractor.NoRows();
  for (const Candidate& candidate : candidates_)
    extractor.Append(**space_->ProgramOf(candidate), target_, rows);
  LearnedScorer scorer = Learned();
  EXPECT_EQ(Scores(scorer, candidates_), learned_.Predict(rows).value());
}

TEST_F(CandidateScorerTest, ASecondOpinionCountsAsMuchAsItsWeight) {
  LearnedScorer alone = Learned();
  LearnedScorer both = Learned({.draft = &draft_, .weight = 0.5});
  DraftScorer drafted(draft_, target_);
  const std::vector<double> learned = Scores(alone, candidates_);
  std::vector<double> known = Scores(drafted, candidates_);
  for (double& score : known) score = std::log2(score);
  std::vector<double> expected;
  for (size_t i = 0; i < learned.size(); ++i) {
    expected.push_back((learned[i] - Mean(learned)) / Deviation(learned) +
                       0.5 * (known[i] - Mean(known)) / Deviation(known));
  }
  EXPECT_THAT(Scores(both, candidates_), Pointwise(DoubleNear(1e-9), expected));
}

TEST_F(CandidateScorerTest, ScoresCompareUntilItBeginsAnew) {
  LearnedScorer scorer = Learned({.draft = &draft_, .weight = 1});
  const std::vector<double> first = Scores(scorer, candidates_);
  Scores(scorer, Random(100, 4));
  EXPECT_EQ(Scores(scorer, candidates_), first);
  scorer.Begin();
  Scores(scorer, Random(100, 4));
  EXPECT_NE(Scores(scorer, candidates_), first);
}

TEST_F(CandidateScorerTest, OneCandidateAloneHasNoDeviation) {
  LearnedScorer scorer = Learned({.draft = &draft_, .weight = 1});
  EXPECT_EQ(Scores(scorer, {candidates_[0]}), std::vector<double>{0});
  EXPECT_EQ(Scores(scorer, {}), std::vector<double>());
}

}  // namespace
}  // namespace pruner
