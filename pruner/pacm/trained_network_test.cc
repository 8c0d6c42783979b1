#include "pruner/pacm/trained_network.h"

#include <limits>
#include <vector>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/make_network.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/network_state.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/synthetic_rankings.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

TrainedNetwork Make(const FeatureRows& programs) {
  const NetworkShape shape = ShapeFor(NetworkKind::kPacm, programs);
  return {.shape = shape,
          .normaliser = FitNormaliser(Normalisation::kLargest, shape, programs),
          .network = *MakeNetwork(shape, Rng(1))};
}

// More than are scored at once.
TEST(TrainedNetworkTest, ProgramsHaveScoresOfTheirOwn) {
  const FeatureRows programs = MakeSyntheticRankings(5000, 1).programs;
  const TrainedNetwork model = Make(programs);
  const auto scores = ScorePrograms(model, programs, /*threads=*/1);
  ABSL_ASSERT_OK(scores);
  ASSERT_EQ(scores->size(), 5000u);
  EXPECT_EQ(*ScorePrograms(model, programs, /*threads=*/1), *scores);
  for (const int i : {0, 1, 4095, 4096, 4999}) {
    FeatureRows one = {.columns = programs.columns,
                       .program_columns = programs.program_columns};
    one.AppendFrom(programs, i);
    const auto alone = ScorePrograms(model, one, /*threads=*/1);
    ABSL_ASSERT_OK(alone);
    EXPECT_NEAR(alone->at(0), scores->at(i), 1e-5);
  }
}

TEST(TrainedNetworkTest, NoProgramsHaveNoScores) {
  const FeatureRows programs = MakeSyntheticRankings(10, 1).programs;
  FeatureRows none = programs;
  none.Clear();
  EXPECT_TRUE(ScorePrograms(Make(programs), none, 1)->empty());
}

TEST(TrainedNetworkTest, CopiesHaveANetworkOfTheirOwn) {
  const FeatureRows programs = MakeSyntheticRankings(10, 1).programs;
  const TrainedNetwork model = Make(programs);
  const std::vector<double> scores = *ScorePrograms(model, programs, 1);
  const auto copy = Copy(model);
  ABSL_ASSERT_OK(copy);
  EXPECT_EQ(*ScorePrograms(*copy, programs, 1), scores);
  std::vector<NamedTensor> state = StateOf(*copy->network);
  for (NamedTensor& tensor : state) tensor.values[0] += 1;
  ABSL_ASSERT_OK(SetState(state, *copy->network));
  EXPECT_NE(*ScorePrograms(*copy, programs, 1), scores);
  EXPECT_EQ(*ScorePrograms(model, programs, 1), scores);
}

TEST(TrainedNetworkTest, WhatCannotBeScoredIsRefused) {
  FeatureRows programs = MakeSyntheticRankings(10, 1).programs;
  const TrainedNetwork model = Make(programs);
  programs.values[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(ScorePrograms(model, programs, 1),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("score of program 0 is not finite")));
  FeatureRows narrow = {.columns = 2};
  narrow.Append({1, 2});
  EXPECT_THAT(ScorePrograms(model, narrow, 1),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("cannot read rows of 2")));
}

}  // namespace
}  // namespace pruner
