#include "pruner/cost/boosted_trees.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status_matchers.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/base/rng.h"
#include "pruner/cost/cost_model_conformance.h"
#include "pruner/cost/ranking_metrics.h"
#include "pruner/cost/synthetic_programs.h"
#include "pruner/features/feature_rows.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

constexpr char kFeatures[] = "synthetic/1";

BoostedTrees Make(const BoostedTreesOptions& options = {}) {
  return BoostedTrees::Create(kFeatures, options).value();
}

// 300 programs of three tasks, and 300 others of the same ones.
SyntheticPrograms Known() { return MakeSyntheticPrograms(300, 3, 30, Rng(1)); }
FeatureRows Unknown() {
  return MakeSyntheticPrograms(300, 3, 30, Rng(1).Fork(1)).programs;
}

BoostedTrees Trained(const BoostedTreesOptions& options = {}) {
  const SyntheticPrograms known = Known();
  BoostedTrees model = Make(options);
  ABSL_EXPECT_OK(model.Update(known.programs, known.labels));
  EXPECT_TRUE(model.is_trained());
  return model;
}

INSTANTIATE_TEST_SUITE_P(
    BoostedTrees, CostModelConformanceTest,
    testing::Values(
        CostModelUnderTest{
            .name = "ansor",
            .make = [] { return std::make_unique<BoostedTrees>(Make()); }},
        CostModelUnderTest{.name = "tuned", .make = [] {
                             return std::make_unique<BoostedTrees>(
                                 Make(FlatTrees()));
                           }}));

TEST(BoostedTreesTest, RanksWhatItHasSeen) {
  SyntheticPrograms known = Known();
  BoostedTrees model = Trained();
  TaskRanking task = {.best_seconds = 1};
  const std::vector<double> scores = model.Predict(known.programs).value();
  double best = 1e9;
  for (size_t i = 0; i < known.labels.size(); i += 3) {
    best = std::min(best, known.labels[i].seconds.value_or(best));
  }
  for (size_t i = 0; i < known.labels.size(); i += 3) {
    if (!known.labels[i].seconds.has_value()) continue;
    task.scores.push_back(scores[i]);
    task.labels.push_back(best / *known.labels[i].seconds);
  }
  EXPECT_GT(PairwiseAccuracy({task}), 0.9);
  EXPECT_LT(Rmse({task}), 0.1);
}

TEST(BoostedTreesTest, AScoreIsTheSumOfItsRows) {
  BoostedTrees model = Trained();
  const FeatureRows programs = Unknown();
  FeatureRows rows = {.columns = programs.columns};
  const auto width = static_cast<size_t>(programs.columns);
  for (size_t i = 0; i < programs.values.size(); i += width) {
    rows.Append(absl::MakeConstSpan(programs.values).subspan(i, width));
  }
  const std::vector<double> scores = model.Predict(programs).value();
  const std::vector<double> row_scores = model.Predict(rows).value();
  for (int i = 0; i < programs.num_programs(); ++i) {
    double sum = 0;
    for (int row = programs.begin(i); row < programs.begin(i + 1); ++row) {
      sum += row_scores[static_cast<size_t>(row)];
    }
    EXPECT_DOUBLE_EQ(scores[static_cast<size_t>(i)], sum);
  }
}

TEST(BoostedTreesTest, ThreadsChangeNothing) {
  // Enough rows for XGBoost to divide them among threads.
  const SyntheticPrograms known = MakeSyntheticPrograms(2000, 5, 30, Rng(1));
  std::vector<double> scores;
  for (const int threads : {1, 2, 3, 8}) {
    BoostedTrees model = Make({.column_share = 0.5, .threads = threads});
    ABSL_ASSERT_OK(model.Update(known.programs, known.labels));
    const std::vector<double> these = model.Predict(known.programs).value();
    if (threads == 1) scores = these;
    EXPECT_EQ(these, scores) << threads;
  }
}

TEST(BoostedTreesTest, WhatComesInPartsIsLearnedAsAWhole) {
  const SyntheticPrograms known = Known();
  BoostedTrees parts = Make();
  for (int i = 0; i < 300; i += 100) {
    FeatureRows programs = {.columns = known.programs.columns};
    for (int j = i; j < i + 100; ++j) programs.Append(known.programs.rows(j));
    ABSL_ASSERT_OK(
        parts.Update(programs, absl::MakeConstSpan(known.labels)
                                   .subspan(static_cast<size_t>(i), 100)));
  }
  EXPECT_EQ(parts.Predict(Unknown()).value(),
            Trained().Predict(Unknown()).value());
}

TEST(BoostedTreesTest, ScoresAreEqualUntilTrained) {
  BoostedTrees model = Make();
  EXPECT_FALSE(model.is_trained());
  EXPECT_THAT(model.Predict(Known().programs).value(), Each(0));
}

// What is the same in all programs makes no difference; nothing else is there
// to learn from in the end.
TEST(BoostedTreesTest, ConstantColumnsMakeNoDifference) {
  const auto widened = [](const FeatureRows& programs) {
    FeatureRows wide = {.columns = programs.columns + 2};
    for (int i = 0; i < programs.num_programs(); ++i) {
      const absl::Span<const float> rows = programs.rows(i);
      std::vector<float> values;
      for (size_t at = 0; at < rows.size(); at += programs.columns) {
        values.push_back(1);
        values.insert(values.end(), rows.begin() + at,
                      rows.begin() + at + programs.columns);
        values.push_back(7);
      }
      wide.Append(values);
    }
    return wide;
  };
  const SyntheticPrograms known = Known();
  BoostedTrees wide = Make();
  ABSL_ASSERT_OK(wide.Update(widened(known.programs), known.labels));
  EXPECT_EQ(wide.Predict(widened(Unknown())).value(),
            Trained().Predict(Unknown()).value());

  FeatureRows equal = {.columns = 2};
  equal.Append({1, 2});
  equal.Append({1, 2});
  BoostedTrees nothing = Make();
  ABSL_ASSERT_OK(nothing.Update(
      equal, {{.task = 0, .seconds = 1.0}, {.task = 0, .seconds = 2.0}}));
  EXPECT_FALSE(nothing.is_trained());
}

TEST(BoostedTreesTest, ManyRowsDoNotRunAway) {
  // With 40 rows a program, a step of 0.2 goes eight times as far as it should.
  SyntheticPrograms known = {.programs = {.columns = 1}};
  for (int i = 0; i < 50; ++i) {
    known.programs.Append(std::vector<float>(40, static_cast<float>(i % 5)));
    known.labels.push_back({.task = 0, .seconds = 1.0 + i % 5});
  }
  BoostedTrees model = Make({.loss = {.row_damping = 1}});
  ABSL_ASSERT_OK(model.Update(known.programs, known.labels));
  const std::vector<double> scores = model.Predict(known.programs).value();
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(scores[i], 1.0 / (1.0 + static_cast<double>(i)), 0.1);
  }
}

class BoostedTreesFileTest : public testing::Test {
 protected:
  const std::string path_ = testing::TempDir() + "/model";
};

TEST_F(BoostedTreesFileTest, LoadedModelsPredictTheSame) {
  BoostedTrees model = Trained();
  ABSL_ASSERT_OK(model.Save(path_));
  auto loaded = BoostedTrees::Load(path_, kFeatures, {.threads = 2});
  ABSL_ASSERT_OK(loaded);
  EXPECT_TRUE(loaded->is_trained());
  EXPECT_EQ(loaded->num_trees(), model.num_trees());
  EXPECT_EQ(loaded->Predict(Unknown()).value(),
            model.Predict(Unknown()).value());
}

TEST_F(BoostedTreesFileTest, OtherFeaturesAreRefused) {
  ABSL_ASSERT_OK(Trained().Save(path_));
  EXPECT_THAT(
      BoostedTrees::Load(path_, "statements/2", {}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr(path_),
                     HasSubstr("was trained on features synthetic/1; these "
                               "are statements/2"))));
}

TEST_F(BoostedTreesFileTest, WhatIsNoModelIsRefused) {
  EXPECT_THAT(BoostedTrees::Load(path_ + "x", kFeatures, {}),
              StatusIs(absl::StatusCode::kNotFound));
  ABSL_ASSERT_OK(WriteFileAtomically(path_, "no model"));
  EXPECT_THAT(BoostedTrees::Load(path_, kFeatures, {}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("is no model of boosted trees")));
  ABSL_ASSERT_OK(Trained().Save(path_));
  std::string bytes = ReadFile(path_).value();
  bytes[bytes.size() / 2] ^= 1;  // in the middle of the trees
  ABSL_ASSERT_OK(WriteFileAtomically(path_, bytes));
  EXPECT_THAT(BoostedTrees::Load(path_, kFeatures, {}),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr(path_)));
}

TEST_F(BoostedTreesFileTest, NothingLearnedIsNotSaved) {
  EXPECT_THAT(Make().Save(path_),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(BoostedTreesErrorsTest, OptionsOutOfRangeAreNamed) {
  EXPECT_THAT(BoostedTrees::Create(kFeatures, {.max_depth = 0}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("max_depth = 0 is not in 1..")));
  EXPECT_THAT(BoostedTrees::Create(kFeatures, {.learning_rate = 1.5}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("learning_rate = 1.5")));
}

TEST(BoostedTreesErrorsTest, RowsThatDoNotFitAreRefused) {
  BoostedTrees model = Trained();
  FeatureRows narrow = {.columns = 2};
  narrow.Append({1, 2});
  EXPECT_THAT(model.Predict(narrow),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "a model of 30 features cannot score rows of 2"));
  EXPECT_THAT(model.Update(narrow, {{.task = 0, .seconds = 1.0}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "rows of 2 features cannot join rows of 30"));
}

}  // namespace
}  // namespace pruner
