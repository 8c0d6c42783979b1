#include "pruner/cost/training_set.h"

#include <limits>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

FeatureRows Programs(int count) {
  FeatureRows programs = {.columns = 1};
  for (int i = 0; i < count; ++i) programs.Append({static_cast<float>(i)});
  return programs;
}

TEST(TrainingSetTest, LabelsAreRelativeToTheBestOfTheTask) {
  TrainingSet data;
  ABSL_ASSERT_OK(data.Add(Programs(4), {{.task = 1, .seconds = 2.0},
                                        {.task = 2, .seconds = 10.0},
                                        {.task = 1, .seconds = 4.0},
                                        {.task = 1}}));
  EXPECT_THAT(data.Labels(), ElementsAre(1, 1, 0.5f, 0));
  // A better program of a task, a worse one of another.
  ABSL_ASSERT_OK(data.Add(Programs(2), {{.task = 1, .seconds = 1.0},
                                        {.task = 2, .seconds = 40.0}}));
  EXPECT_THAT(data.Labels(), ElementsAre(0.5f, 1, 0.25f, 0, 1, 0.25f));
  EXPECT_THAT(data.Tasks(), ElementsAre(0, 1, 0, 0, 0, 1));
  EXPECT_EQ(data.num_tasks(), 2);
  EXPECT_EQ(data.programs().num_programs(), 6);
}

TEST(TrainingSetTest, TasksMayHaveFailuresOnly) {
  TrainingSet data;
  ABSL_ASSERT_OK(data.Add(Programs(2), {{.task = 1}, {.task = 1}}));
  EXPECT_THAT(data.Labels(), ElementsAre(0, 0));
}

TEST(TrainingSetTest, BadInputIsRefusedWhole) {
  TrainingSet data;
  EXPECT_THAT(data.Add(Programs(2), {{.task = 1}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "there are 1 labels for 2 programs"));
  EXPECT_THAT(data.Add(Programs(1), {{.task = 1, .seconds = 0.0}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("cannot take 0 s")));
  FeatureRows bad = Programs(1);
  bad.values[0] = std::numeric_limits<float>::infinity();
  EXPECT_THAT(
      data.Add(bad, {{.task = 1}}),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("not finite")));
  FeatureRows bad_program = {.columns = 1, .program_columns = 1};
  bad_program.Append({0}, {std::numeric_limits<float>::quiet_NaN()});
  EXPECT_THAT(
      data.Add(bad_program, {{.task = 1}}),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("not finite")));
  EXPECT_EQ(data.num_tasks(), 0);
  EXPECT_EQ(data.programs().num_programs(), 0);
}

TEST(TrainingSetTest, ProgramsKeepValuesOfTheirOwn) {
  FeatureRows programs = {.columns = 1, .program_columns = 2};
  programs.Append({1}, {2, 3});
  TrainingSet data;
  ABSL_ASSERT_OK(data.Add(programs, {{.task = 1, .seconds = 1.0}}));
  EXPECT_EQ(data.programs(), programs);
  EXPECT_THAT(data.Add(Programs(1), {{.task = 1}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "programs with 0 features of their own cannot join "
                       "programs with 2"));
}

}  // namespace
}  // namespace pruner
