#include "pruner/tune/learner.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/cost/cost_model.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/features/dataflow_blocks.h"
#include "pruner/features/feature_rows.h"
#include "pruner/measure/measure_result.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Remembers what it was trained on.
class RecordingModel : public CostModel {
 public:
  bool is_trained() const override { return !updates.empty(); }
  absl::StatusOr<std::vector<double>> Predict(
      const FeatureRows& programs) override {
    return std::vector<double>(programs.num_programs());
  }
  absl::Status Learn(const FeatureRows& programs,
                     absl::Span<const ProgramLabel> new_labels,
                     const IsUnwanted& /*is_unwanted*/) override {
    EXPECT_EQ(programs.num_programs(), static_cast<int>(new_labels.size()));
    updates.push_back(static_cast<int>(new_labels.size()));
    labels.insert(labels.end(), new_labels.begin(), new_labels.end());
    program_values += programs.program_values.size();
    return result;
  }

  bool counts_updates() const override { return counts; }

  bool counts = false;
  std::vector<int> updates;
  std::vector<ProgramLabel> labels;
  size_t program_values = 0;
  absl::Status result = absl::OkStatus();
};

class LearnerTest : public testing::Test {
 protected:
  void Add(Learner& learner, int trials, double seconds = 1) {
    for (int i = 0; i < trials; ++i)
      learner.Add(7, dag_, {}, {.seconds = {seconds}});
  }

  const TargetSpec target_ = SampleCpuTarget();
  const ComputeDag dag_ = MatmulReluDag(8, 8, 8);
  RecordingModel model_;
};

TEST_F(LearnerTest, TrainsWhenTrialsHaveGrown) {
  Learner learner(model_, ColumnSet::kAll, target_,
                  {.first_training = 10, .growth = 0.5});
  Add(learner, 9);
  ASSERT_TRUE(learner.CatchUp().ok());
  EXPECT_THAT(model_.updates, IsEmpty());
  // Trained on the first ten, then fifteen, whenever it is asked to.
  Add(learner, 4);
  ASSERT_TRUE(learner.CatchUp().ok());
  EXPECT_THAT(model_.updates, ElementsAre(10));
  ASSERT_TRUE(learner.CatchUp().ok());
  EXPECT_THAT(model_.updates, ElementsAre(10));
  Add(learner, 2);
  ASSERT_TRUE(learner.CatchUp().ok());
  EXPECT_THAT(model_.updates, ElementsAre(10, 5));
}

// As where a run goes on, whose trials all come at once.
TEST_F(LearnerTest, ModelsThatCountUpdatesHaveAllOfThem) {
  for (const bool counts : {false, true}) {
    RecordingModel model;
    model.counts = counts;
    Learner learner(model, ColumnSet::kAll, target_,
                    {.first_training = 10, .growth = 0.5});
    Add(learner, 30);
    ASSERT_TRUE(learner.CatchUp().ok());
    // After 10, 15 and 23 trials.
    if (counts) {
      EXPECT_THAT(model.updates, ElementsAre(10, 5, 8));
    } else {
      EXPECT_THAT(model.updates, ElementsAre(23));
    }
    ASSERT_TRUE(learner.CatchUp().ok());
    Add(learner, 5);
    ASSERT_TRUE(learner.CatchUp().ok());
    EXPECT_EQ(model.updates.back(), 12);  // up to the 35th
  }
}

TEST_F(LearnerTest, NeverPutsOffMoreThanItMay) {
  Learner learner(model_, ColumnSet::kAll, target_,
                  {.first_training = 10, .growth = 0.5, .max_new_trials = 6});
  for (int i = 0; i < 40; ++i) {
    Add(learner, 1);
    ASSERT_TRUE(learner.CatchUp().ok());
  }
  EXPECT_THAT(model_.updates, ElementsAre(10, 5, 6, 6, 6, 6));
}

// What is put off keeps what programs have of their own.
TEST_F(LearnerTest, ModelsMayReadDataflow) {
  Learner learner(model_, ColumnSet::kAllAndDataflow, target_,
                  {.first_training = 2, .growth = 1});
  Add(learner, 3);
  ASSERT_TRUE(learner.CatchUp().ok());
  EXPECT_THAT(model_.updates, ElementsAre(2));
  EXPECT_EQ(model_.program_values, 2u * kDataflowBlocks * kDataflowColumns);
}

// A run that goes on has the model that it had: on the first 15 trials, though
// it was asked at other times.
TEST_F(LearnerTest, WhatAModelHasSeenDependsOnTheTrialsAlone) {
  Learner learner(model_, ColumnSet::kAll, target_,
                  {.first_training = 10, .growth = 0.5});
  Add(learner, 20);
  ASSERT_TRUE(learner.CatchUp().ok());
  EXPECT_THAT(model_.updates, ElementsAre(15));
}

TEST_F(LearnerTest, FailuresTeachAndForeignSchedulesDoNot) {
  Learner learner(model_, ColumnSet::kAll, target_, {.first_training = 3});
  Add(learner, 1, 0.5);
  learner.Add(7, dag_, {}, FailedResult(FailureKind::kCrash, "crashed"));
  learner.Add(7, dag_, {.steps = {ComputeRootStep{.stage = 1000}}},
              {.seconds = {1}});
  ASSERT_TRUE(learner.CatchUp().ok());
  EXPECT_THAT(model_.labels,
              ElementsAre(ProgramLabel{.task = 7, .seconds = 0.5},
                          ProgramLabel{.task = 7, .seconds = std::nullopt}));
}

TEST_F(LearnerTest, ReturnsWhatTheModelSays) {
  Learner learner(model_, ColumnSet::kAll, target_, {.first_training = 1});
  model_.result = absl::InternalError("no");
  Add(learner, 1);
  EXPECT_EQ(learner.CatchUp(), absl::InternalError("no"));
}

}  // namespace
}  // namespace pruner
