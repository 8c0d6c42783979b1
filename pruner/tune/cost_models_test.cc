#include "pruner/tune/cost_models.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/columns.h"
#include "pruner/features/feature_rows.h"
#include "pruner/target/sample_targets.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kWorker[] = "pruner/pacm/network_worker";

CostModelOptions Named(absl::string_view name) {
  return {.name = std::string(name), .network_program = kWorker};
}

TEST(CostModelsTest, EachLearnsItsColumns) {
  for (const CostModelEntry& entry : CostModels()) {
    for (const char* columns : {kAllColumns, kCompatColumns}) {
      CostModelOptions options = Named(entry.name);
      options.columns = columns;
      const auto model = MakeCostModel(options);
      ABSL_ASSERT_OK(model);
      if (entry.name == kNoCostModel) {
        EXPECT_EQ(*model, nullptr);
        continue;
      }
      // Programs of which the first column tells the seconds.
      FeatureRows programs = ColumnExtractor(ColumnsOf(options)).NoRows();
      std::vector<ProgramLabel> labels;
      for (int i = 0; i < 64; ++i) {
        std::vector<float> row(static_cast<size_t>(programs.columns));
        row[0] = static_cast<float>(i % 8);
        programs.Append(
            row,
            std::vector<float>(static_cast<size_t>(programs.program_columns)));
        labels.push_back({.task = 1, .seconds = 1.0 + i % 8});
      }
      ABSL_ASSERT_OK((*model)->Update(programs, labels)) << entry.name;
      const auto scores = (*model)->Predict(programs);
      ABSL_ASSERT_OK(scores) << entry.name;
      EXPECT_GT(scores->at(0), scores->at(7)) << entry.name;
    }
  }
}

TEST(CostModelsTest, ColumnsAreThoseThatTheModelReads) {
  EXPECT_EQ(ColumnsOf(Named("gbdt")), ColumnSet::kAll);
  EXPECT_EQ(ColumnsOf(Named("mlp")), ColumnSet::kAll);
  EXPECT_EQ(ColumnsOf(Named("pacm")), ColumnSet::kAllAndDataflow);
  const auto compat = [](absl::string_view name) {
    CostModelOptions options = Named(name);
    options.columns = kCompatColumns;
    return ColumnsOf(options);
  };
  EXPECT_EQ(compat("gbdt"), ColumnSet::kAnsor);
  EXPECT_EQ(compat("mlp"), ColumnSet::kTenset);
  EXPECT_EQ(compat("pacm"), ColumnSet::kPacm);
}

TEST(CostModelsTest, PublishedCheckpointsReadThePapersColumns) {
  CostModelOptions options = Named("pacm");
  options.pretrained = "testdata/checkpoints/narrow.pth";
  EXPECT_THAT(StartNetwork(options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr(options.pretrained),
                             HasSubstr("--columns=compat"))));
  options.columns = kCompatColumns;
  EXPECT_THAT(StartNetwork(options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr(options.pretrained),
                             HasSubstr("cannot read rows of 174"))));
}

// Where columns change, the network that is shipped must be trained anew:
// testdata/README.md says how.
TEST(CostModelsTest, TheShippedNetworkKnowsSomethingFromTheStart) {
  CostModelOptions options = Named("pacm");
  options.pretrained = kCpuPretrained;
  const auto model = MakeCostModel(options);
  ABSL_ASSERT_OK(model);
  EXPECT_TRUE((*model)->is_trained());
}

TEST(CostModelsTest, UsersNameWhatANetworkBeginsWith) {
  EXPECT_EQ(PretrainedOf(""), kNoPretrained);
  EXPECT_EQ(PretrainedOf("none"), kNoPretrained);
  EXPECT_EQ(PretrainedOf("cpu"), kCpuPretrained);
  EXPECT_EQ(PretrainedOf("auto"), kAutoPretrained);
  EXPECT_EQ(PretrainedOf("/tmp/cpu"), "/tmp/cpu");
}

TEST(CostModelsTest, WhatIsShippedIsForPacmOnCpus) {
  const auto resolved = [](absl::string_view name, const TargetSpec& target) {
    CostModelOptions options = Named(name);
    options.pretrained = kAutoPretrained;
    return ResolvePretrained(target, options).pretrained;
  };
  EXPECT_EQ(resolved("pacm", SampleCpuTarget()), kCpuPretrained);
  EXPECT_EQ(resolved("pacm", SampleGpuTarget()), kNoPretrained);
  EXPECT_EQ(resolved("mlp", SampleCpuTarget()), kNoPretrained);
  EXPECT_EQ(resolved("gbdt", SampleCpuTarget()), kNoPretrained);
  CostModelOptions options = Named("pacm");
  options.pretrained = kAutoPretrained;
  options.columns = kCompatColumns;
  EXPECT_EQ(ResolvePretrained(SampleCpuTarget(), options).pretrained,
            kNoPretrained);
  options.columns = kAllColumns;
  options.training = kPapersTraining;
  EXPECT_EQ(ResolvePretrained(SampleCpuTarget(), options).pretrained,
            kNoPretrained);
  // What was asked for stays.
  options.pretrained = "a file";
  EXPECT_EQ(ResolvePretrained(SampleCpuTarget(), options), options);
}

TEST(CostModelsTest, WhatCannotBeIsRefused) {
  EXPECT_THAT(CheckCostModel(Named("tlp")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("'tlp'"), HasSubstr("--cost_model"),
                             HasSubstr("pacm"))));
  CostModelOptions options = Named("pacm");
  options.adapt = "luck";
  EXPECT_THAT(CheckCostModel(options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("--adapt"), HasSubstr("moa"))));
  options = Named("mlp");
  options.training = "luck";
  EXPECT_THAT(CheckCostModel(options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--training is one of lists, papers")));
  options = Named("gbdt");
  options.pretrained = "a file";
  EXPECT_THAT(CheckCostModel(options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--pretrained is for")));
  options = Named("pacm");
  options.pretrained = testing::TempDir() + "/missing";
  EXPECT_THAT(MakeCostModel(options), StatusIs(absl::StatusCode::kNotFound,
                                               HasSubstr(options.pretrained)));
  options = Named("mlp");
  options.network_program = "/nowhere/network_worker";
  ABSL_EXPECT_OK(CheckCostModel(options));
  EXPECT_THAT(MakeCostModel(options),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("/nowhere/network_worker is not there")));
}

}  // namespace
}  // namespace pruner
