#include "tools/collect/operator_tasks.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/features/task_flags.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(OperatorTasksTest, OfOperatorsAndShapes) {
  const auto tasks = OperatorTasks({"gmm_3", "Dep"}, 1, SampleCpuTarget());
  ASSERT_THAT(tasks, IsOk());
  std::vector<std::string> names;
  for (const TuningTask& task : *tasks) names.push_back(task.workload.name);
  EXPECT_THAT(names, ElementsAre("GMM_3_b1", "DEP_1_b1", "DEP_2_b1", "DEP_3_b1",
                                 "DEP_4_b1"));
  EXPECT_THAT(OperatorTasks({}, 3, SampleCpuTarget()), IsOkAndHolds(IsEmpty()));
}

TEST(OperatorTasksTest, FlagsTellWhatTheyCompute) {
  for (const auto& [name, flag] :
       {std::pair("gmm_1", "batch_matmul"), std::pair("c1d_1", "conv2d"),
        std::pair("c2d_1", "conv2d"), std::pair("c3d_1", "conv2d"),
        std::pair("grp_1", "conv2d"), std::pair("t2d_1", "conv2d"),
        std::pair("dep_1", "depthwise"), std::pair("tbs_1", "softmax")}) {
    const auto tasks = OperatorTasks({name}, 16, SampleCpuTarget());
    ASSERT_THAT(tasks, IsOk());
    const auto flags = TaskFlagsOf(tasks->at(0).workload.dag);
    const auto* const found =
        std::find(std::begin(kTaskFlagNames), std::end(kTaskFlagNames),
                  absl::string_view(flag));
    ASSERT_NE(found, std::end(kTaskFlagNames)) << flag;
    EXPECT_TRUE(flags[found - std::begin(kTaskFlagNames)]) << name;
  }
}

TEST(OperatorTasksTest, WhatThereIsNot) {
  EXPECT_THAT(OperatorTasks({"GMM", "luck"}, 1, SampleCpuTarget()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("'luck'"), HasSubstr("C1D, "),
                             HasSubstr("TBS"))));
  EXPECT_THAT(OperatorTasks({"GMM"}, 3, SampleCpuTarget()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("--batch=3"), HasSubstr("1 or 16"))));
}

}  // namespace
}  // namespace pruner
