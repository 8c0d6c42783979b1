// What every DraftModel must do, as a parameterized test suite: an
// implementation's test instantiates DraftModelConformanceTest with a factory.
#ifndef PRUNER_DRAFT_DRAFT_MODEL_CONFORMANCE_H_
#define PRUNER_DRAFT_DRAFT_MODEL_CONFORMANCE_H_

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/draft/draft_model.h"
#include "pruner/schedule/replay.h"
#include "pruner/target/sample_targets.h"

namespace pruner {

struct DraftModelUnderTest {
  std::string name;
  std::function<std::unique_ptr<DraftModel>()> make;
};

class DraftModelConformanceTest
    : public testing::TestWithParam<DraftModelUnderTest> {
 protected:
  // Candidates that differ: a row loop split by each of its divisors.
  std::vector<LoopState> States() const {
    std::vector<LoopState> states = {NaiveState(conv_), NaiveState(pool_)};
    for (const int64_t length : {1, 2, 4, 8, 16, 32, 64}) {
      const Schedule schedule = {
          .steps = {SplitStep{.stage = 2, .iterator = 0, .lengths = {length}}}};
      states.push_back(Replay(matmul_, schedule).value());
    }
    return states;
  }

  const TargetSpec target_ = SampleCpuTarget();

 private:
  const ComputeDag matmul_ = MatmulReluDag(64, 64, 64);
  const ComputeDag conv_ = ConvBiasReluDag({});
  const ComputeDag pool_ = MaxPoolDag(56, 64);
};

TEST_P(DraftModelConformanceTest, ScoresAreFinite) {
  const std::unique_ptr<DraftModel> model = GetParam().make();
  for (const LoopState& state : States()) {
    EXPECT_TRUE(std::isfinite(model->Score(state, target_)))
        << state.ToString();
  }
}

TEST_P(DraftModelConformanceTest, ScoresTellCandidatesApart) {
  const std::unique_ptr<DraftModel> model = GetParam().make();
  const std::vector<LoopState> states = States();
  bool differ = false;
  for (const LoopState& state : states) {
    differ |= model->Score(state, target_) != model->Score(states[0], target_);
  }
  EXPECT_TRUE(differ);
}

TEST_P(DraftModelConformanceTest, ScoresDependOnTheCandidateAlone) {
  const std::unique_ptr<DraftModel> model = GetParam().make();
  const std::unique_ptr<DraftModel> other = GetParam().make();
  const std::vector<LoopState> states = States();
  std::vector<double> forwards;
  forwards.reserve(states.size());
  for (const LoopState& state : states) {
    forwards.push_back(model->Score(state, target_));
  }
  for (size_t i = states.size(); i-- > 0;) {
    EXPECT_EQ(model->Score(states[i], target_), forwards[i]);
    EXPECT_EQ(other->Score(states[i], target_), forwards[i]);
  }
}

}  // namespace pruner

#endif  // PRUNER_DRAFT_DRAFT_MODEL_CONFORMANCE_H_
