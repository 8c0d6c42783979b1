#include "tools/evaluate/scores.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/cost/cost_model.h"
#include "pruner/target/sample_targets.h"
#include "pruner/tune/cost_models.h"
#include "tools/evaluate/data_set.h"
#include "tools/evaluate/sample_log.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

DataSet Sample(int programs = 40) {
  return MakeDataSet({SampleLog({.programs = programs})}).value();
}

absl::StatusOr<std::unique_ptr<CostModel>> MakeTrees() {
  return MakeCostModel({});
}

int64_t Judged(const std::vector<std::optional<double>>& scores) {
  return std::count_if(scores.begin(), scores.end(),
                       [](const auto& score) { return score.has_value(); });
}

TEST(ScoresTest, OfEveryProgram) {
  const DataSet data = Sample();
  const auto draft = DraftScores(data);
  ASSERT_THAT(draft, IsOk());
  for (const Scores& scores : {*draft, RandomScores(data, 1)}) {
    ASSERT_THAT(scores, SizeIs(2));
    EXPECT_EQ(Judged(scores[0]), 40);
    EXPECT_EQ(Judged(scores[1]), 40);
  }
  EXPECT_EQ(RandomScores(data, 1), RandomScores(data, 1));
  EXPECT_NE(RandomScores(data, 1), RandomScores(data, 2));
}

TEST(ScoresTest, PenaltiesAreLeftOut) {
  const DataSet data = Sample();
  const auto whole = DraftScores(data);
  const auto part = DraftScores(data, {CpuCost::kOperations});
  const auto none = DraftScores(data, AllCpuCosts());
  ASSERT_THAT(part, IsOk());
  ASSERT_THAT(none, IsOk());
  EXPECT_NE(*whole, *part);
  EXPECT_NE(*part, *none);
}

TEST(ScoresTest, PenaltiesByName) {
  EXPECT_THAT(ParseCpuCosts({"LLC", "read_conflicts", "far llc"}),
              IsOkAndHolds(ElementsAre(CpuCost::kLlc, CpuCost::kReadConflicts,
                                       CpuCost::kFarLlc)));
  EXPECT_THAT(ParseCpuCosts({"stores", "luck"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("'luck'"), HasSubstr("read_conflicts"),
                             HasSubstr("balance"))));
  EXPECT_THAT(AllCpuCosts(), SizeIs(kCpuCosts));
}

TEST(ScoresTest, PenaltiesAreOfCpus) {
  DataSet data = Sample();
  data.targets.begin()->second = SampleGpuTarget();
  EXPECT_THAT(DraftScores(data, {CpuCost::kLoads}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("a100")));
}

TEST(ScoresTest, WeightsAreFittedToOtherTasks) {
  const DataSet data = Sample();
  const auto fitted = FitDraft(data);
  ASSERT_THAT(fitted, IsOk());
  EXPECT_THAT(fitted->without_task, SizeIs(2));
  const Scores scores = FittedDraftScores(data, *fitted);
  EXPECT_EQ(Judged(scores[0]), 40);
  EXPECT_NE(scores, *DraftScores(data));
  EXPECT_NE(scores, FittedDraftScores(data, *fitted, {CpuCost::kOperations}));
  // What a task's own times are does not matter to its scores.
  DataSet slower = data;
  for (DataProgram& program : slower.tasks[0].programs)
    *program.seconds = 1e-3 / *program.seconds;
  const auto again = FitDraft(slower);
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(FittedDraftScores(slower, *again)[0], scores[0]);
  EXPECT_NE(FittedDraftScores(slower, *again)[1], scores[1]);
}

TEST(ScoresTest, WeightsNeedSomethingToBeFittedTo) {
  DataSet data = Sample(5);
  data.tasks.pop_back();
  EXPECT_THAT(FitDraft(data), StatusIs(absl::StatusCode::kInvalidArgument,
                                       HasSubstr("conv is the only one")));
  data = Sample(5);
  data.targets.begin()->second = SampleGpuTarget();
  EXPECT_THAT(FitDraft(data),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("a100")));
}

TEST(ScoresTest, ModelsJudgeTasksThatTheyHaveNotSeen) {
  const DataSet data = Sample();
  const auto scores = LearnedScores(data, {}, MakeTrees);
  ASSERT_THAT(scores, IsOk());
  EXPECT_EQ(Judged((*scores)[0]), 40);
  EXPECT_EQ(Judged((*scores)[1]), 40);
  // What a task's own times are does not matter to its scores.
  DataSet slower = data;
  for (DataProgram& program : slower.tasks[0].programs)
    *program.seconds = 1 / *program.seconds;
  const auto again = LearnedScores(slower, {}, MakeTrees);
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ((*again)[0], (*scores)[0]);
  EXPECT_NE((*again)[1], (*scores)[1]);
}

TEST(ScoresTest, LessonsAreOfOtherWorkloads) {
  const DataSet all = Sample();
  DataSet judged = all;
  judged.workloads.erase(judged.tasks[1].key.workload);
  judged.tasks.pop_back();
  const LearnedOptions options = {.split = Split::kNone, .lessons = &all};
  const auto scores = LearnedScores(judged, options, MakeTrees);
  ASSERT_THAT(scores, IsOk());
  // As if the judged task were one of two, and judged by the other.
  EXPECT_EQ((*scores)[0], (*LearnedScores(all, {}, MakeTrees))[0]);
  EXPECT_THAT(LearnedScores(judged, {.split = Split::kNone, .lessons = &judged},
                            MakeTrees),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--learn_from has no workload but")));
}

TEST(ScoresTest, ModelsJudgeProgramsThatTheyHaveNotSeen) {
  const DataSet data = Sample();
  const LearnedOptions options = {.columns = ColumnSet::kAnsor,
                                  .split = Split::kPrograms,
                                  .train_share = 0.7};
  const auto scores = LearnedScores(data, options, MakeTrees);
  ASSERT_THAT(scores, IsOk());
  EXPECT_EQ(Judged((*scores)[0]), 12);
  EXPECT_EQ(Judged((*scores)[1]), 12);
  EXPECT_THAT(LearnedScores(data, options, MakeTrees), IsOkAndHolds(*scores));
  DataSet other = data;
  for (size_t i = 0; i < 40; ++i) {
    std::optional<double>& seconds = other.tasks[0].programs[i].seconds;
    if ((*scores)[0][i]) *seconds *= 2;
  }
  EXPECT_THAT(LearnedScores(other, options, MakeTrees), IsOkAndHolds(*scores));
}

TEST(ScoresTest, ModelsNeedSomethingToLearnFrom) {
  DataSet data = Sample(5);
  EXPECT_THAT(
      LearnedScores(data, {.split = Split::kPrograms, .train_share = 0.95},
                    MakeTrees),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("--train_share=0.95 of the 5 programs of conv")));
  data.tasks.pop_back();
  EXPECT_THAT(LearnedScores(data, {}, MakeTrees),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("conv"), HasSubstr("only one"),
                             HasSubstr("--split=programs"))));
}

TEST(ScoresTest, PartsOfTheTasksAreJudgedTogether) {
  const DataSet data = Sample();
  const auto one_each = LearnedScores(data, {}, MakeTrees);
  ASSERT_THAT(one_each, IsOk());
  for (const int folds : {2, 9}) {
    EXPECT_THAT(LearnedScores(data, {.folds = folds}, MakeTrees),
                IsOkAndHolds(*one_each));
  }
}

TEST(ScoresTest, ModelsAreOfOneTarget) {
  DataSet data = Sample(5);
  TargetSpec other = data.targets.begin()->second;
  other.name = "elsewhere";
  data.tasks[1].key.target = {1};
  data.targets[{1}] = other;
  EXPECT_THAT(
      LearnedScores(data, {}, MakeTrees),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("elsewhere")));
}

}  // namespace
}  // namespace pruner
