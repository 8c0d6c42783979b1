// What every CostModel must do, as a parameterized test suite: an
// implementation's test instantiates CostModelConformanceTest with a factory.
#ifndef PRUNER_COST_COST_MODEL_CONFORMANCE_H_
#define PRUNER_COST_COST_MODEL_CONFORMANCE_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"

namespace pruner {

// The columns of the features that the suite makes.
inline constexpr int kConformanceColumns = 4;

struct CostModelUnderTest {
  std::string name;
  // A new model for kConformanceColumns columns.
  std::function<std::unique_ptr<CostModel>()> make;
  // Values of a program as a whole that the model reads.
  int program_columns = 0;
  // It was trained elsewhere.
  bool starts_trained = false;
};

class CostModelConformanceTest
    : public testing::TestWithParam<CostModelUnderTest> {
 protected:
  CostModelConformanceTest() : model_(GetParam().make()) {
    programs_ = NoPrograms();
    for (int i = 0; i < 24; ++i) {
      std::vector<float> rows;
      for (int row = 0; row <= i % 3; ++row) {
        const float x = static_cast<float>(i);
        rows.insert(rows.end(), {x, std::sqrt(x), static_cast<float>(row), 0});
      }
      programs_.Append(rows, std::vector<float>(
                                 static_cast<size_t>(programs_.program_columns),
                                 static_cast<float>(i)));
      labels_.push_back(
          {.task = static_cast<uint64_t>(i % 2), .seconds = 1e-3 / (1 + i)});
    }
    labels_[5].seconds.reset();
  }

  // Of the columns that the model reads.
  static FeatureRows NoPrograms() {
    return {.columns = kConformanceColumns,
            .program_columns = GetParam().program_columns};
  }

  // The scores of all programs, which must be there and finite.
  std::vector<double> Predict(CostModel& model) const {
    const auto scores = model.Predict(programs_);
    EXPECT_TRUE(scores.ok()) << scores.status();
    if (!scores.ok()) return {};
    EXPECT_EQ(scores->size(), programs_.ends.size());
    for (const double score : *scores) EXPECT_TRUE(std::isfinite(score));
    return *scores;
  }

  FeatureRows programs_;
  std::vector<ProgramLabel> labels_;  // two tasks; one program failed
  const std::unique_ptr<CostModel> model_;
};

TEST_P(CostModelConformanceTest, PredictsBeforeAndAfterLearning) {
  EXPECT_EQ(model_->is_trained(), GetParam().starts_trained);
  Predict(*model_);
  EXPECT_TRUE(model_->Update(programs_, labels_).ok());
  Predict(*model_);
}

TEST_P(CostModelConformanceTest, OnlyUpdatesChangeScores) {
  ASSERT_TRUE(model_->Update(programs_, labels_).ok());
  const std::vector<double> scores = Predict(*model_);
  EXPECT_EQ(Predict(*model_), scores);
  // Alone or with others, a program has the same score.
  for (int i = 0; i < programs_.num_programs(); ++i) {
    FeatureRows program = NoPrograms();
    program.AppendFrom(programs_, i);
    const auto alone = model_->Predict(program);
    ASSERT_TRUE(alone.ok()) << alone.status();
    const double score = scores[static_cast<size_t>(i)];
    EXPECT_NEAR(alone->at(0), score, 1e-5 * (1 + std::abs(score)));
  }
}

TEST_P(CostModelConformanceTest, EqualModelsLearnTheSame) {
  const std::unique_ptr<CostModel> other = GetParam().make();
  ASSERT_TRUE(model_->Update(programs_, labels_).ok());
  ASSERT_TRUE(other->Update(programs_, labels_).ok());
  EXPECT_EQ(Predict(*other), Predict(*model_));
}

TEST_P(CostModelConformanceTest, NothingToDoIsFine) {
  const FeatureRows none = NoPrograms();
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(model_->Update(none, {}).ok());
    const auto scores = model_->Predict(none);
    ASSERT_TRUE(scores.ok()) << scores.status();
    EXPECT_TRUE(scores->empty());
    EXPECT_TRUE(model_->Update(programs_, labels_).ok());
  }
}

TEST_P(CostModelConformanceTest, FailuresAloneAreFine) {
  for (ProgramLabel& label : labels_) label.seconds.reset();
  EXPECT_TRUE(model_->Update(programs_, labels_).ok());
  Predict(*model_);
}

}  // namespace pruner

#endif  // PRUNER_COST_COST_MODEL_CONFORMANCE_H_
