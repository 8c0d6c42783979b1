#include "pruner/pacm/training_options.h"

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

TEST(LearningRateTest, IsHalvedInLongRunsAlone) {
  TrainingOptions options;
  EXPECT_EQ(LearningRate(options, 0), 7e-4);
  EXPECT_EQ(LearningRate(options, 49), 7e-4);
  options.max_epochs = 90;
  EXPECT_EQ(LearningRate(options, 29), 7e-4);
  EXPECT_EQ(LearningRate(options, 30), 3.5e-4);
  EXPECT_EQ(LearningRate(options, 59), 3.5e-4);
  EXPECT_EQ(LearningRate(options, 60), 1.75e-4);
}

TEST(TrainingOptionsTest, ManyProgramsTakeFewEpochs) {
  TrainingOptions options;
  EXPECT_EQ(Epochs(options, 1'000'000), 50);
  options.max_examples = 10'000;
  EXPECT_EQ(Epochs(options, 0), 50);
  EXPECT_EQ(Epochs(options, 200), 50);
  EXPECT_EQ(Epochs(options, 400), 25);
  EXPECT_EQ(Epochs(options, 1'000'000), 1);
}

TEST(TrainingOptionsTest, AreWhatThePapersTake) {
  const TrainingOptions options;
  EXPECT_EQ(options.optimizer, TrainingOptions::Optimizer::kAdam);
  EXPECT_EQ(options.learning_rate, 7e-4);
  EXPECT_EQ(options.weight_decay, 1e-6);
  EXPECT_EQ(options.max_gradient_norm, 0.5);
  EXPECT_EQ(options.batch_size, 512);
  EXPECT_EQ(options.max_epochs, 50);
  EXPECT_EQ(options.patience, 16);
  ABSL_EXPECT_OK(CheckTrainingOptions(options));
  ABSL_EXPECT_OK(CheckTrainingOptions(FineTuning()));
  ABSL_EXPECT_OK(CheckTrainingOptions(ListTraining()));
  EXPECT_EQ(FineTuning().optimizer, TrainingOptions::Optimizer::kSgd);
  EXPECT_EQ(FineTuning().learning_rate, 7e-4);
  EXPECT_EQ(FineTuning().max_gradient_norm, 0);
}

TEST(TrainingOptionsTest, WhatIsOutOfRangeIsNamed) {
  const auto is_refused = [](const char* what, auto change) {
    TrainingOptions options;
    change(options);
    EXPECT_THAT(CheckTrainingOptions(options),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(what)));
  };
  is_refused("batch_size = 1 is not in 2..16384",
             [](auto& options) { options.batch_size = 1; });
  is_refused("list_size = 513 is not in 0..512",
             [](auto& options) { options.list_size = 513; });
  is_refused("a list of 1", [](auto& options) { options.list_size = 1; });
  is_refused("learning_rate", [](auto& options) { options.learning_rate = 0; });
  is_refused("max_examples", [](auto& options) { options.max_examples = -1; });
  is_refused("threads", [](auto& options) { options.threads = -1; });
}

}  // namespace
}  // namespace pruner
