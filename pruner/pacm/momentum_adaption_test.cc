#include "pruner/pacm/momentum_adaption.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/cost/cost_model_conformance.h"
#include "pruner/cost/synthetic_programs.h"
#include "pruner/cost/training_set.h"
#include "pruner/features/dataflow_blocks.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/make_network.h"
#include "pruner/pacm/model_file.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/network_state.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/synthetic_rankings.h"
#include "pruner/pacm/trained_network.h"
#include "pruner/pacm/training.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

constexpr char kFeatures[] = "synthetic columns 1";

constexpr TrainingOptions kQuick = {
    .batch_size = 64, .max_epochs = 5, .threads = 1};

TrainedNetwork MakeCheckpoint(const FeatureRows& programs, uint64_t seed) {
  const NetworkShape shape = ShapeFor(NetworkKind::kPacm, programs);
  return {.shape = shape,
          .normaliser = FitNormaliser(Normalisation::kLargest, shape, programs),
          .network = *MakeNetwork(shape, Rng(seed))};
}

constexpr int kConformanceOwn = 2 * kDataflowBlocks;

INSTANTIATE_TEST_SUITE_P(Momentum, CostModelConformanceTest,
                         testing::Values(CostModelUnderTest{
                             .name = "momentum",
                             .make = []() -> std::unique_ptr<CostModel> {
                               auto model = MomentumModel::Create(
                                   kFeatures,
                                   MakeCheckpoint(
                                       {.columns = kConformanceColumns,
                                        .program_columns = kConformanceOwn},
                                       1),
                                   {.train_every = 1, .training = kQuick});
                               ABSL_EXPECT_OK(model);
                               return std::make_unique<MomentumModel>(
                                   *std::move(model));
                             },
                             .program_columns = kConformanceOwn,
                             .starts_trained = true}));

bool IsStatistic(const NamedTensor& tensor) {
  return tensor.name.find("running") != std::string::npos;
}

// What B5 makes of the two networks' numbers.
void ExpectMoved(const std::vector<NamedTensor>& before,
                 const std::vector<NamedTensor>& towards, double momentum,
                 const std::vector<NamedTensor>& after) {
  ASSERT_EQ(after.size(), before.size());
  for (size_t t = 0; t < after.size(); ++t) {
    if (IsStatistic(after[t])) {
      EXPECT_EQ(after[t], before[t]);
      continue;
    }
    for (size_t i = 0; i < after[t].values.size(); ++i) {
      const double expected = momentum * before[t].values[i] +
                              (1 - momentum) * towards[t].values[i];
      ASSERT_NEAR(after[t].values[i], expected, 1e-6)
          << after[t].name << " " << i;
    }
  }
}

class MomentumAdaptionTest : public testing::Test {
 protected:
  MomentumModel Make(const MomentumOptions& options) {
    return *MomentumModel::Create(kFeatures, *Copy(checkpoint_), options);
  }

  // The round's new programs.
  absl::Status Update(int round, MomentumModel& model) {
    const SyntheticPrograms part = Slice(all_, 20 * round, 20 * round + 20);
    return model.Update(part.programs, part.labels);
  }

  std::vector<double> Scores(MomentumModel& model) {
    return *model.Predict(all_.programs);
  }

  TrainedNetwork Saved(const MomentumModel& model) {
    ABSL_EXPECT_OK(model.Save(path_));
    return *LoadNetwork(path_, kFeatures);
  }

  // By hand: a copy of `start`, trained on the programs of the first rounds as
  // the model's n-th update does.
  TrainedNetwork Target(const TrainedNetwork& start, int rounds, uint64_t n) {
    TrainingSet data;
    const SyntheticPrograms known = Slice(all_, 0, 20 * rounds);
    ABSL_EXPECT_OK(data.Add(known.programs, known.labels));
    TrainedNetwork target = *Copy(start);
    target.normaliser =
        FitNormaliser(Normalisation::kLargest, target.shape, known.programs);
    const auto outcome =
        Train(kQuick, RankedPrograms(data), Rng(3).Fork(n), target);
    ABSL_EXPECT_OK(outcome);
    EXPECT_TRUE(outcome->trained());
    return target;
  }

  const SyntheticPrograms all_ = MakeSyntheticRankings(180, 1);
  const TrainedNetwork checkpoint_ =
      MakeCheckpoint(MakeSyntheticRankings(90, 2).programs, 1);
  const MomentumOptions options_ = {.training = kQuick, .seed = 3};
  const std::string path_ = testing::TempDir() + "/siamese";
};

TEST_F(MomentumAdaptionTest, ParametersMoveAndStatisticsStay) {
  const TrainedNetwork from = Target(checkpoint_, 4, 4);
  for (const double momentum : {0.99, 0.5, 0.0, 1.0}) {
    const TrainedNetwork to = *Copy(checkpoint_);
    ABSL_ASSERT_OK(MoveParameters(momentum, *from.network, *to.network));
    ExpectMoved(StateOf(*checkpoint_.network), StateOf(*from.network), momentum,
                StateOf(*to.network));
  }
}

TEST_F(MomentumAdaptionTest, TheCheckpointPredictsUntilTheFourthUpdate) {
  MomentumModel model = Make(options_);
  EXPECT_TRUE(model.is_trained());
  const std::vector<double> scores =
      *ScorePrograms(checkpoint_, all_.programs, 1);
  EXPECT_EQ(Scores(model), scores);
  for (int round = 0; round < 3; ++round) {
    ABSL_ASSERT_OK(Update(round, model));
    EXPECT_EQ(Scores(model), scores) << round;
    EXPECT_EQ(StateOf(*Saved(model).network), StateOf(*checkpoint_.network));
  }
  ABSL_ASSERT_OK(Update(3, model));
  EXPECT_TRUE(model.outcome().trained());
  EXPECT_NE(Scores(model), scores);
}

// Eight updates, each step of both networks by hand.
TEST_F(MomentumAdaptionTest, EveryFourthUpdateTrainsACopyAndMovesTheOriginal) {
  MomentumModel model = Make(options_);
  TrainedNetwork siamese = *Copy(checkpoint_);
  for (int round = 0; round < 8; ++round) {
    ABSL_ASSERT_OK(Update(round, model));
    if (round % 4 != 3) continue;
    const TrainedNetwork target =
        Target(siamese, round + 1, static_cast<uint64_t>(round) + 1);
    EXPECT_EQ(Scores(model), *ScorePrograms(target, all_.programs, 1));
    const std::vector<NamedTensor> before = StateOf(*siamese.network);
    siamese = Saved(model);
    ExpectMoved(before, StateOf(*target.network), 0.99,
                StateOf(*siamese.network));
    EXPECT_EQ(siamese.normaliser, target.normaliser);
  }
}

TEST_F(MomentumAdaptionTest, TheScalesMayStay) {
  for (const bool keep : {false, true}) {
    MomentumOptions options = options_;
    options.train_every = 1;
    options.keep_normaliser = keep;
    MomentumModel model = Make(options);
    const std::vector<double> scores = Scores(model);
    ABSL_ASSERT_OK(Update(0, model));
    EXPECT_NE(Scores(model), scores);
    EXPECT_EQ(Saved(model).normaliser == checkpoint_.normaliser, keep);
  }
}

TEST_F(MomentumAdaptionTest, WhatTheCheckpointIgnoresIsScaledHere) {
  TrainedNetwork checkpoint = *Copy(checkpoint_);
  checkpoint.normaliser.rows.divisors[1] = std::numeric_limits<float>::max();
  MomentumOptions options = options_;
  options.train_every = 1;
  options.normalisation = Normalisation::kStandard;
  options.keep_normaliser = true;
  MomentumModel model =
      *MomentumModel::Create(kFeatures, *Copy(checkpoint), options);
  ABSL_ASSERT_OK(Update(0, model));
  ABSL_ASSERT_OK(Update(1, model));
  const Normaliser fitted = FitNormaliser(
      Normalisation::kStandard, checkpoint.shape, Slice(all_, 0, 40).programs);
  Normaliser expected = checkpoint.normaliser;
  expected.rows.shifts[1] = fitted.rows.shifts[1];
  expected.rows.divisors[1] = fitted.rows.divisors[1];
  EXPECT_EQ(Saved(model).normaliser, expected);
}

TEST_F(MomentumAdaptionTest, UpdatesWithoutProgramsDoNotCount) {
  MomentumModel model = Make(options_);
  const std::vector<double> scores = Scores(model);
  const SyntheticPrograms none = Slice(all_, 0, 0);
  for (int round = 0; round < 3; ++round) {
    ABSL_ASSERT_OK(Update(round, model));
    ABSL_ASSERT_OK(model.Update(none.programs, none.labels));
  }
  EXPECT_EQ(Scores(model), scores);
}

TEST_F(MomentumAdaptionTest, TooLittleToLearnFromChangesNothing) {
  MomentumOptions options = options_;
  options.training.min_programs = 100;
  MomentumModel model = Make(options);
  const std::vector<double> scores = Scores(model);
  for (int round = 0; round < 4; ++round) ABSL_ASSERT_OK(Update(round, model));
  EXPECT_EQ(model.outcome().end, TrainingEnd::kTooFewPrograms);
  EXPECT_EQ(Scores(model), scores);
  EXPECT_EQ(Saved(model).normaliser, checkpoint_.normaliser);
  EXPECT_EQ(StateOf(*Saved(model).network), StateOf(*checkpoint_.network));
}

TEST_F(MomentumAdaptionTest, ALoadedCheckpointIsTheSame) {
  ABSL_ASSERT_OK(SaveNetwork(path_, kFeatures, checkpoint_));
  auto loaded = MomentumModel::Create(
      kFeatures, LoadNetwork(path_, kFeatures).value(), options_);
  ABSL_ASSERT_OK(loaded);
  MomentumModel model = Make(options_);
  for (int round = 0; round < 4; ++round) {
    ABSL_ASSERT_OK(Update(round, model));
    ABSL_ASSERT_OK(Update(round, *loaded));
  }
  EXPECT_EQ(Scores(*loaded), Scores(model));
}

TEST_F(MomentumAdaptionTest, OptionsOutOfRangeAreNamed) {
  EXPECT_THAT(MomentumModel::Create(kFeatures, checkpoint_, {.train_every = 0}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "train_every = 0 is not at least 1"));
  EXPECT_THAT(MomentumModel::Create(kFeatures, checkpoint_, {.momentum = 1.5}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("momentum = 1.5")));
  EXPECT_THAT(MomentumModel::Create(kFeatures, checkpoint_,
                                    {.training = {.max_epochs = 0}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("max_epochs = 0")));
}

}  // namespace
}  // namespace pruner
