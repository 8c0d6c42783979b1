// tune --trials=0: a model alone chooses the schedules.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/record/log_contents.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ZeroTrialsTest : public testing::Test {
 protected:
  CommandResult Tune(const std::string& folder, int trials) const {
    return user_.Run("tune",
                     {"--model=tiny", "--output_dir=" + folder, "--race=0",
                      "--trials=" + std::to_string(trials)});
  }
  Workplace user_;
};

TEST_F(ZeroTrialsTest, NothingIsTimedAndTheNetworkIsRight) {
  const CommandResult result = Tune("out", 0);
  ASSERT_EQ(result.exit_code, 0) << result.stderr_text;
  EXPECT_THAT(result.stdout_text,
              HasSubstr("no trials: the draft model chose the schedules of "));
  EXPECT_THAT(result.stdout_text,
              HasSubstr("not timed; the draft model expects"));
  EXPECT_THAT(result.stdout_text, Not(HasSubstr("whole network")));
  const proto::Summary summary = ReadSummaryOrDie(user_.File("out"));
  EXPECT_EQ(summary.trials(), 0);
  EXPECT_EQ(summary.network_latency_ms(), 0);
  EXPECT_EQ(summary.predicted_latency_ms(), 0);
  EXPECT_GT(summary.max_abs_error(), 0);
  EXPECT_LT(summary.max_rel_error(), 1e-5);
  for (const proto::TaskSummary& task : summary.tasks()) {
    EXPECT_EQ(task.best_ms(), 0) << task.name();
    EXPECT_GT(task.estimated_ms(), 0) << task.name();
  }
  EXPECT_TRUE(ReadLogOrDie(user_.File("out/records.log")).records.empty());

  const CommandResult run = user_.Run("run", {"--dir=out", "--seconds=0.1"});
  EXPECT_EQ(run.exit_code, 0) << run.stderr_text;
  EXPECT_THAT(
      run.stdout_text,
      HasSubstr("the schedules of 9 of 9 kernels are a model's choice"));
  EXPECT_THAT(run.stdout_text, Not(HasSubstr("no record of")));
}

TEST_F(ZeroTrialsTest, SameSeedSameNetwork) {
  ASSERT_EQ(Tune("a", 0).exit_code, 0);
  ASSERT_EQ(Tune("b", 0).exit_code, 0);
  EXPECT_EQ(ReadFileOrDie(user_.File("a/tiny.tuned")),
            ReadFileOrDie(user_.File("b/tiny.tuned")));
}

// What an earlier run measured is used; where it measured nothing, the model
// chooses.
TEST_F(ZeroTrialsTest, WhatWasMeasuredIsUsed) {
  ASSERT_EQ(Tune("out", 5).exit_code, 0);
  const proto::Summary before = ReadSummaryOrDie(user_.File("out"));
  const std::string log = ReadFileOrDie(user_.File("out/records.log"));
  const CommandResult result = Tune("out", 0);
  ASSERT_EQ(result.exit_code, 0) << result.stderr_text;
  const proto::Summary after = ReadSummaryOrDie(user_.File("out"));
  ASSERT_EQ(after.tasks_size(), before.tasks_size());
  int timed = 0;
  for (int i = 0; i < after.tasks_size(); ++i) {
    const proto::TaskSummary& task = after.tasks(i);
    EXPECT_EQ(task.best_ms(), before.tasks(i).best_ms()) << task.name();
    EXPECT_NE(task.best_ms() > 0, task.estimated_ms() > 0) << task.name();
    timed += task.best_ms() > 0;
  }
  EXPECT_GT(timed, 0);
  EXPECT_LT(timed, after.tasks_size());
  EXPECT_EQ(ReadFileOrDie(user_.File("out/records.log")), log);
}

}  // namespace
}  // namespace pruner
