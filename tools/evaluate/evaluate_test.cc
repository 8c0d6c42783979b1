#include "tools/evaluate/evaluate.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/evaluate/data_set.h"
#include "tools/evaluate/report.h"
#include "tools/evaluate/sample_log.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class EvaluateTest : public testing::Test {
 protected:
  proto::Evaluation Judge(const EvaluateOptions& options) const {
    const auto evaluation = Evaluate(data_, options);
    EXPECT_THAT(evaluation, IsOk());
    return *evaluation;
  }

  const DataSet data_ =
      MakeDataSet({SampleLog({.programs = 60, .race = 3})}).value();
};

TEST_F(EvaluateTest, OfTheDraftModel) {
  const proto::Evaluation evaluation =
      Judge({.ablation = true, .drafts = {10, 60}});
  EXPECT_EQ(evaluation.scorer(), "draft");
  EXPECT_THAT(evaluation.tasks(), SizeIs(2));
  EXPECT_THAT(evaluation.ablation(), SizeIs(22));
  EXPECT_EQ(evaluation.overall().programs(), 120);
  EXPECT_GT(evaluation.overall().drafts(2).best(),
            evaluation.overall().drafts(2).random());
  const std::string text = EvaluationText(evaluation);
  EXPECT_THAT(text, StartsWith("draft on "));
  EXPECT_THAT(text, HasSubstr("\nconv "));
  EXPECT_THAT(text, HasSubstr("\nall 2 "));
  EXPECT_THAT(text, HasSubstr("\nrandom draws "));
  EXPECT_THAT(text, HasSubstr("\na draft of 60 is all that there is of 2 "));
  EXPECT_THAT(text, HasSubstr("\nnoise floor: "));
  EXPECT_THAT(text, HasSubstr("1.000 times the shorter (median)"));
  EXPECT_THAT(text, HasSubstr("\nread conflicts "));
  EXPECT_THAT(text, Not(HasSubstr("RMSE")));
  EXPECT_THAT(text, Not(HasSubstr("precision@50")));  // none failed
}

TEST_F(EvaluateTest, OfProgramsThatFailed) {
  proto::Evaluation evaluation = Judge({});
  proto::Ranking& overall = *evaluation.mutable_overall();
  overall.set_failures(3);
  overall.mutable_validity()->set_precision_at_50(0.25);
  EXPECT_THAT(EvaluationText(evaluation),
              AllOf(HasSubstr("precision@50"), HasSubstr("  0.250  ")));
}

TEST_F(EvaluateTest, OfTheDraftModelFitted) {
  const proto::Evaluation evaluation =
      Judge({.scorer = "fitted", .ablation = true});
  EXPECT_THAT(evaluation.fitted(), SizeIs(21));
  EXPECT_THAT(evaluation.ablation(), SizeIs(22));
  EXPECT_THAT(EvaluationText(evaluation),
              AllOf(StartsWith("fitted on "),
                    HasSubstr("\nweights that fit all tasks: operations ")));
}

TEST_F(EvaluateTest, OfTrees) {
  const proto::Evaluation evaluation =
      Judge({.scorer = "gbdt", .columns = "compat", .split = "programs"});
  EXPECT_EQ(evaluation.overall().programs(), 12);
  EXPECT_TRUE(evaluation.overall().has_rmse());
  const std::string text = EvaluationText(evaluation);
  EXPECT_THAT(text, AllOf(HasSubstr("columns compat"), HasSubstr("by programs"),
                          HasSubstr("RMSE")));
}

TEST_F(EvaluateTest, TheSameAgain) {
  for (const std::string scorer : {"draft", "fitted", "gbdt", "random"}) {
    EXPECT_EQ(Judge({.scorer = scorer}).SerializeAsString(),
              Judge({.scorer = scorer}).SerializeAsString());
  }
}

TEST_F(EvaluateTest, AsCsv) {
  proto::Evaluation evaluation = Judge({.drafts = {10}});
  evaluation.mutable_tasks(0)->set_task("a \"b\", c");
  const std::vector<std::string> lines =
      absl::StrSplit(EvaluationCsv(evaluation), '\n');
  ASSERT_THAT(lines, SizeIs(4));  // the last is empty
  EXPECT_EQ(lines[0],
            "task,programs,failures,pairwise_accuracy,recall_at_30,rmse,"
            "r_squared,best_1_of_1,random_1_of_1,best_1_of_5,random_1_of_5,"
            "best_1_of_10,random_1_of_10,timed_twice,noise_median,noise_p90,"
            "valid_pairs,failed_pairs,precision_at_50,ndcg_at_50");
  EXPECT_THAT(lines[1], StartsWith("\"a \"\"b\"\", c\",60,0,"));
  EXPECT_THAT(lines[2], StartsWith("\"matmul\",60,0,"));
  const std::vector<std::string> cells = absl::StrSplit(lines[2], ',');
  EXPECT_THAT(cells, SizeIs(20));
}

struct BadOptions {
  EvaluateOptions options;
  std::string says;
};

TEST_F(EvaluateTest, OptionsThatCannotBeUsed) {
  const std::vector<BadOptions> all = {
      {{.scorer = "luck"},
       "--scorer is one of draft, fitted, gbdt, mlp, pacm, random"},
      {{.without = {"luck"}}, "no penalty 'luck'"},
      {{.without = {"L2"}, .ablation = true}, "exclude each other"},
      {{.scorer = "gbdt", .ablation = true}, "--scorer=draft"},
      {{.scorer = "random", .without = {"L2"}}, "--scorer=draft"},
      {{.columns = "luck"}, "--columns is one of all, compat"},
      {{.scorer = "gbdt", .columns = "luck"},
       "--columns is one of all, compat"},
      {{.branches = "rows"}, "--branches is for --cost_model=pacm"},
      {{.scorer = "gbdt", .branches = "rows"},
       "--branches is for --cost_model=pacm"},
      {{.split = "luck"}, "--split is one of none, task, programs"},
      {{.scorer = "mlp", .split = "none"}, "--pretrained=FILE"},
      {{.scorer = "draft", .lessons = &data_}, "--learn_from is for models"},
      {{.train_share = 1}, "--train_share=1 "},
      {{.drafts = {0}}, "--drafts=0 "}};
  for (const BadOptions& bad : all) {
    EXPECT_THAT(
        CheckEvaluateOptions(bad.options),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(bad.says)));
    EXPECT_THAT(Evaluate(data_, bad.options),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

}  // namespace
}  // namespace pruner
