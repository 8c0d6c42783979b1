// What every CostModel must do, as a parameterized test suite: an
// implementation's test instantiates CostModelConformanceTest with a factory.
#ifndef PRUNER_COST_COST_MODEL_CONFORMANCE_H_
#define PRUNER_COST_COST_MODEL_CONFORMANCE_H_

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "pruner/cost/cost_model.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/schedule/replay.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

struct CostModelUnderTest {
  std::string name;
  std::function<std::unique_ptr<CostModel>()> make;
};

class CostModelConformanceTest
    : public testing::TestWithParam<CostModelUnderTest> {
 protected:
  CostModelConformanceTest() : model_(GetParam().make()) {
    for (const int64_t length : {1, 2, 4, 8, 16, 32, 64}) {
      const Schedule schedule = {
          .steps = {SplitStep{.stage = 2, .iterator = 0, .lengths = {length}}}};
      states_.push_back(Replay(dag_, schedule).value());
    }
  }

  // The scores of all states, which must be there and finite.
  std::vector<double> Predict(CostModel& model) const {
    const auto scores = model.Predict(states_);
    EXPECT_TRUE(scores.ok()) << scores.status();
    if (!scores.ok()) return {};
    EXPECT_EQ(scores->size(), states_.size());
    for (const double score : *scores) EXPECT_TRUE(std::isfinite(score));
    return *scores;
  }

  // Half of the candidates measured, one of them failed.
  absl::Status Update(CostModel& model) const {
    const MeasureResult fast = {.seconds = {1e-3, 1.1e-3}};
    const MeasureResult slow = {.seconds = {2e-3}};
    const MeasureResult failed = FailedResult(FailureKind::kCrash, "crashed");
    const MeasureResult* const results[] = {&fast, &slow, &failed};
    std::vector<MeasuredCandidate> measured;
    measured.reserve(3);
    for (size_t i = 0; i < 3; ++i) {
      measured.push_back({KeyOf(dag_), &states_[i], results[i]});
    }
    return model.Update(measured);
  }

  const ComputeDag dag_ = MatmulReluDag(64, 64, 64);
  std::vector<LoopState> states_;
  const std::unique_ptr<CostModel> model_;
};

TEST_P(CostModelConformanceTest, PredictsBeforeAndAfterLearning) {
  Predict(*model_);
  EXPECT_TRUE(Update(*model_).ok());
  Predict(*model_);
}

TEST_P(CostModelConformanceTest, OnlyUpdatesChangeScores) {
  ASSERT_TRUE(Update(*model_).ok());
  const std::vector<double> scores = Predict(*model_);
  EXPECT_EQ(Predict(*model_), scores);
  // Alone or with others, a state has the same score.
  for (size_t i = 0; i < states_.size(); ++i) {
    const auto alone = model_->Predict(absl::MakeSpan(&states_[i], 1));
    ASSERT_TRUE(alone.ok()) << alone.status();
    EXPECT_NEAR(alone->at(0), scores[i], 1e-5 * (1 + std::abs(scores[i])));
  }
}

TEST_P(CostModelConformanceTest, EqualModelsLearnTheSame) {
  const std::unique_ptr<CostModel> other = GetParam().make();
  ASSERT_TRUE(Update(*model_).ok());
  ASSERT_TRUE(Update(*other).ok());
  EXPECT_EQ(Predict(*other), Predict(*model_));
}

TEST_P(CostModelConformanceTest, NothingToDoIsFine) {
  EXPECT_TRUE(model_->Update({}).ok());
  const auto scores = model_->Predict({});
  ASSERT_TRUE(scores.ok()) << scores.status();
  EXPECT_TRUE(scores->empty());
}

TEST_P(CostModelConformanceTest, FailuresAloneAreFine) {
  const MeasureResult failed = FailedResult(FailureKind::kCrash, "crashed");
  const MeasuredCandidate candidate = {KeyOf(dag_), &states_[0], &failed};
  EXPECT_TRUE(model_->Update({candidate}).ok());
  Predict(*model_);
}

}  // namespace pruner

#endif  // PRUNER_COST_COST_MODEL_CONFORMANCE_H_
