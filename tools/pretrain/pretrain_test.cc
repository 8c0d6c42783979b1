#include "tools/pretrain/pretrain.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/features/columns.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_model.h"
#include "pruner/target/sample_targets.h"
#include "pruner/tune/cost_models.h"
#include "tools/evaluate/data_set.h"
#include "tools/evaluate/sample_log.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;

class PretrainTest : public testing::Test {
 protected:
  PretrainTest() {
    options_.name = "mlp";
    options_.network_program = "pruner/pacm/network_worker";
    options_.epochs = 2;
  }

  const std::string path_ = testing::TempDir() + "/network";
  CostModelOptions options_;
};

TEST_F(PretrainTest, WritesANetworkThatScoresPrograms) {
  const DataSet data = MakeDataSet({SampleLog({.programs = 300})}).value();
  const auto result = Pretrain(data, options_, path_);
  ABSL_ASSERT_OK(result);
  EXPECT_EQ(result->programs, 600);
  EXPECT_EQ(result->tasks, 2);
  EXPECT_THAT(result->ToString(), HasSubstr("600 programs of 2 tasks"));
  options_.pretrained = path_;
  options_.adapt = "none";
  const auto network = StartNetwork(options_);
  ABSL_ASSERT_OK(network);
  EXPECT_TRUE((*network)->is_trained());
  ColumnExtractor extractor(ColumnsOf(options_));
  FeatureRows rows = extractor.NoRows();
  ForEachProgram(data, data.tasks[0], [&](size_t, const Program& program) {
    extractor.Append(program, data.TargetOf(data.tasks[0]), rows);
  });
  const auto scores = (*network)->Predict(rows);
  ABSL_ASSERT_OK(scores);
  EXPECT_NE(scores->front(), scores->back());
}

TEST_F(PretrainTest, TooLittleToLearnFromIsRefused) {
  DataSet data = MakeDataSet({SampleLog({.programs = 40})}).value();
  EXPECT_THAT(Pretrain(data, options_, path_),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("80 programs"), HasSubstr("512"))));
  data.tasks.pop_back();
  EXPECT_THAT(
      Pretrain(data, options_, path_),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("several tasks")));
}

TEST_F(PretrainTest, NetworksAreOfOneTarget) {
  DataSet data = MakeDataSet({SampleLog({.programs = 300})}).value();
  TargetSpec other = data.targets.begin()->second;
  other.name = "elsewhere";
  data.tasks[1].key.target = {1};
  data.targets[{1}] = other;
  EXPECT_THAT(
      Pretrain(data, options_, path_),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("elsewhere")));
}

TEST_F(PretrainTest, TreesAreNoNetwork) {
  const DataSet data = MakeDataSet({SampleLog({.programs = 300})}).value();
  options_.name = "gbdt";
  EXPECT_THAT(Pretrain(data, options_, path_),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("gbdt is no network")));
}

}  // namespace
}  // namespace pruner
