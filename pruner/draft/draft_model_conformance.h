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
#include "pruner/program/program.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/transform_step.h"
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
  std::vector<Program> Programs() const {
    std::vector<Program> programs = {
        Resolve(conv_, Schedule(), target_).value(),
        Resolve(pool_, Schedule(), target_).value()};
    for (const int64_t length : {1, 2, 4, 8, 16, 32, 64}) {
      const Schedule schedule = {
          .steps = {SplitStep{.stage = 2, .iterator = 0, .lengths = {length}}}};
      programs.push_back(Resolve(matmul_, schedule, target_).value());
    }
    return programs;
  }

  const TargetSpec target_ = SampleCpuTarget();

 private:
  const ComputeDag matmul_ = MatmulReluDag(64, 64, 64);
  const ComputeDag conv_ = ConvBiasReluDag({});
  const ComputeDag pool_ = MaxPoolDag(56, 64);
};

TEST_P(DraftModelConformanceTest, ScoresAreFinite) {
  const std::unique_ptr<DraftModel> model = GetParam().make();
  for (const Program& program : Programs()) {
    EXPECT_TRUE(std::isfinite(model->Score(program, target_)))
        << program.ToString();
  }
}

TEST_P(DraftModelConformanceTest, ScoresTellCandidatesApart) {
  const std::unique_ptr<DraftModel> model = GetParam().make();
  const std::vector<Program> programs = Programs();
  bool differ = false;
  for (const Program& program : programs) {
    differ |=
        model->Score(program, target_) != model->Score(programs[0], target_);
  }
  EXPECT_TRUE(differ);
}

TEST_P(DraftModelConformanceTest, ScoresDependOnTheCandidateAlone) {
  const std::unique_ptr<DraftModel> model = GetParam().make();
  const std::unique_ptr<DraftModel> other = GetParam().make();
  const std::vector<Program> programs = Programs();
  std::vector<double> forwards;
  forwards.reserve(programs.size());
  for (const Program& program : programs) {
    forwards.push_back(model->Score(program, target_));
  }
  for (size_t i = programs.size(); i-- > 0;) {
    EXPECT_EQ(model->Score(programs[i], target_), forwards[i]);
    EXPECT_EQ(other->Score(programs[i], target_), forwards[i]);
  }
}

}  // namespace pruner

#endif  // PRUNER_DRAFT_DRAFT_MODEL_CONFORMANCE_H_
