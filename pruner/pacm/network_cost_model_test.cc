#include "pruner/pacm/network_cost_model.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/cost/cost_model_conformance.h"
#include "pruner/cost/synthetic_programs.h"
#include "pruner/features/dataflow_blocks.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/model_file.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/synthetic_rankings.h"
#include "pruner/pacm/training.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::Each;
using ::testing::HasSubstr;

constexpr char kFeatures[] = "synthetic columns 1";

constexpr TrainingOptions kQuick = {.batch_size = 64, .threads = 1};

std::unique_ptr<CostModel> MakeForConformance(NetworkKind kind,
                                              int program_columns) {
  const FeatureRows programs = {.columns = kConformanceColumns,
                                .program_columns = program_columns};
  auto model = NetworkCostModel::Create(kFeatures, ShapeFor(kind, programs),
                                        {.training = kQuick});
  ABSL_EXPECT_OK(model);
  return std::make_unique<NetworkCostModel>(*std::move(model));
}

INSTANTIATE_TEST_SUITE_P(
    Networks, CostModelConformanceTest,
    testing::Values(
        CostModelUnderTest{.name = "pacm",
                           .make =
                               [] {
                                 return MakeForConformance(NetworkKind::kPacm,
                                                           2 * kDataflowBlocks);
                               },
                           .program_columns = 2 * kDataflowBlocks},
        CostModelUnderTest{
            .name = "pacm_rows",
            .make = [] { return MakeForConformance(NetworkKind::kPacm, 0); }},
        CostModelUnderTest{.name = "tenset_mlp", .make = [] {
                             return MakeForConformance(NetworkKind::kTensetMlp,
                                                       0);
                           }}));

class NetworkCostModelTest : public testing::Test {
 protected:
  NetworkCostModel Make(const NetworkCostModelOptions& options = {
                            .training = kQuick}) {
    return *NetworkCostModel::Create(
        kFeatures, ShapeFor(NetworkKind::kPacm, all_.programs), options);
  }

  NetworkCostModel Trained() {
    NetworkCostModel model = Make();
    ABSL_EXPECT_OK(model.Update(known_.programs, known_.labels));
    EXPECT_TRUE(model.is_trained());
    return model;
  }

  // That file's network, to go on with.
  NetworkCostModel Loaded(const NetworkCostModelOptions& options) {
    return NetworkCostModel::Continue(
               kFeatures, LoadNetwork(path_, kFeatures).value(), options)
        .value();
  }

  double Accuracy(NetworkCostModel& model, const SyntheticPrograms& of) {
    const auto scores = model.Predict(of.programs);
    ABSL_EXPECT_OK(scores);
    return PairwiseAccuracyOf(*scores, of.labels);
  }

  const SyntheticPrograms all_ = MakeSyntheticRankings(400, 1);
  const SyntheticPrograms known_ = Slice(all_, 0, 200);
  const SyntheticPrograms unknown_ = Slice(all_, 200, 400);
  const std::string path_ = testing::TempDir() + "/cost_model";
};

TEST_F(NetworkCostModelTest, LearnsWhatItIsGiven) {
  NetworkCostModel model = Make();
  EXPECT_FALSE(model.is_trained());
  EXPECT_THAT(*model.Predict(unknown_.programs), Each(0));
  EXPECT_EQ(Accuracy(model, unknown_), 0.5);
  ABSL_ASSERT_OK(model.Update(known_.programs, known_.labels));
  EXPECT_TRUE(model.outcome().trained());
  EXPECT_GT(Accuracy(model, unknown_), 0.7);
}

TEST_F(NetworkCostModelTest, WhatComesInPartsIsLearnedAsAWhole) {
  NetworkCostModel parts = Make();
  for (int i = 0; i < 200; i += 50) {
    const SyntheticPrograms part = Slice(all_, i, i + 50);
    ABSL_ASSERT_OK(parts.Update(part.programs, part.labels));
  }
  NetworkCostModel whole = Trained();
  EXPECT_EQ(*parts.Predict(unknown_.programs),
            *whole.Predict(unknown_.programs));
}

TEST_F(NetworkCostModelTest, TheSeedCounts) {
  NetworkCostModel model = Trained();
  NetworkCostModel other = Make({.training = kQuick, .seed = 1});
  ABSL_ASSERT_OK(other.Update(known_.programs, known_.labels));
  EXPECT_NE(*other.Predict(unknown_.programs),
            *model.Predict(unknown_.programs));
}

TEST_F(NetworkCostModelTest, TooFewProgramsAreKeptForLater) {
  NetworkCostModel model = Make();
  const SyntheticPrograms few = Slice(all_, 0, 10);
  ABSL_ASSERT_OK(model.Update(few.programs, few.labels));
  EXPECT_FALSE(model.is_trained());
  EXPECT_EQ(model.outcome().end, TrainingEnd::kTooFewPrograms);
  const SyntheticPrograms rest = Slice(all_, 10, 200);
  ABSL_ASSERT_OK(model.Update(rest.programs, rest.labels));
  NetworkCostModel whole = Trained();
  EXPECT_EQ(*model.Predict(unknown_.programs),
            *whole.Predict(unknown_.programs));
}

TEST_F(NetworkCostModelTest, LoadedModelsPredictTheSame) {
  NetworkCostModel model = Trained();
  ABSL_ASSERT_OK(model.Save(path_));
  NetworkCostModel loaded = Loaded({.training = kQuick});
  EXPECT_TRUE(loaded.is_trained());
  const std::vector<double> scores = *model.Predict(unknown_.programs);
  EXPECT_EQ(*loaded.Predict(unknown_.programs), scores);
  // Nothing that could be learned changes nothing.
  const SyntheticPrograms few = Slice(all_, 0, 10);
  ABSL_ASSERT_OK(loaded.Update(few.programs, few.labels));
  EXPECT_EQ(*loaded.Predict(unknown_.programs), scores);
}

TEST_F(NetworkCostModelTest, FineTuningGoesOnFromWhatWasLearned) {
  ABSL_ASSERT_OK(Trained().Save(path_));
  // So slowly that it hardly moves, where a new network would know little.
  TrainingOptions slow = FineTuning();
  slow.threads = 1;
  slow.max_epochs = 1;
  slow.learning_rate = 1e-6;
  NetworkCostModel tuned = Loaded({.training = slow, .fine_tune = true});
  NetworkCostModel anew = Loaded({.training = slow});
  const double before = Accuracy(tuned, unknown_);
  const std::vector<double> scores = *tuned.Predict(unknown_.programs);
  for (NetworkCostModel* const model : {&tuned, &anew})
    ABSL_ASSERT_OK(model->Update(known_.programs, known_.labels));
  EXPECT_TRUE(tuned.outcome().trained());
  EXPECT_NE(*tuned.Predict(unknown_.programs), scores);
  EXPECT_NEAR(Accuracy(tuned, unknown_), before, 0.03);
  EXPECT_LT(Accuracy(anew, unknown_), before - 0.05);
}

TEST_F(NetworkCostModelTest, FineTuningLearns) {
  const SyntheticPrograms few = Slice(all_, 0, 60);
  NetworkCostModel start = Make({.training = {.max_epochs = 3, .threads = 1}});
  ABSL_ASSERT_OK(start.Update(few.programs, few.labels));
  ABSL_ASSERT_OK(start.Save(path_));
  TrainingOptions tuning = FineTuning();
  tuning.threads = 1;
  tuning.batch_size = 64;
  NetworkCostModel tuned = Loaded({.training = tuning, .fine_tune = true});
  const double before = Accuracy(tuned, unknown_);
  ABSL_ASSERT_OK(tuned.Update(known_.programs, known_.labels));
  EXPECT_GT(Accuracy(tuned, unknown_), before + 0.02);
}

TEST_F(NetworkCostModelTest, WhatCannotBeIsRefused) {
  const NetworkShape shape = {.row_columns = 2};
  EXPECT_THAT(NetworkCostModel::Create(kFeatures, {}, {}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(
      NetworkCostModel::Create(kFeatures, shape, {.fine_tune = true}),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("fine-tuned")));
  EXPECT_THAT(NetworkCostModel::Create(kFeatures, shape,
                                       {.training = {.learning_rate = 0}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("learning_rate = 0")));
  EXPECT_THAT(Make().Save(path_),
              StatusIs(absl::StatusCode::kFailedPrecondition));

  NetworkCostModel model = Make();
  FeatureRows narrow = {.columns = 2};
  narrow.Append({1, 2});
  EXPECT_THAT(model.Update(narrow, {{.task = 0, .seconds = 1.0}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("cannot read rows of 2")));
}

}  // namespace
}  // namespace pruner
