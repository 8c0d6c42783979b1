#include "pruner/tune/draft_tasks.h"

#include <cstdint>
#include <vector>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/clock.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/code_size.h"
#include "pruner/program/resolve.h"
#include "pruner/record/measure_record.h"
#include "pruner/sample/default_schedule.h"
#include "pruner/target/sample_targets.h"
#include "pruner/target/target_key.h"
#include "pruner/tune/tune.h"
#include "pruner/workload/workload.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::SizeIs;

TuningTask Conv(int slot) {
  return {.workload = Workload("conv", "", ConvBiasReluDag({.size = 14})),
          .weight = 3,
          .slot = slot};
}
TuningTask Matmul(int slot) {
  return {.workload = Workload("matmul", "", MatmulReluDag(64, 256, 64)),
          .slot = slot};
}

class DraftTasksTest : public testing::Test {
 protected:
  TuningOutcome Draft(const std::vector<TuningTask>& tasks,
                      const std::vector<MeasureRecord>& earlier = {}) {
    return DraftTasks(tasks, earlier, target_, options_, clock_,
                      [&] { return asked_++ == stop_after_; })
        .value();
  }
  MeasureRecord RecordOf(const TuningTask& task) {
    return {.workload = task.workload.key,
            .target = TargetKeyOf(target_),
            .schedule =
                DefaultSchedule({.dag = task.workload.dag, .target = target_})
                    .value(),
            .result = {.seconds = {1}}};
  }

  const TargetSpec target_ = SampleCpuTarget();
  DraftOptions options_;
  FakeClock clock_;
  int asked_ = 0, stop_after_ = -1;
};

TEST_F(DraftTasksTest, EveryTaskHasAScheduleThatFits) {
  const TuningOutcome outcome = Draft({Conv(0), Matmul(1), Conv(2)});
  EXPECT_EQ(outcome.trials, 0);
  EXPECT_EQ(outcome.end, TuningEnd::kTrialsDone);
  EXPECT_EQ(asked_, 2);  // before each of the two that differ
  ASSERT_THAT(outcome.tasks, SizeIs(3));
  EXPECT_EQ(outcome.tasks[1].name, "matmul");
  EXPECT_EQ(outcome.tasks[2].drafted->schedule,
            outcome.tasks[0].drafted->schedule);
  for (const TaskOutcome& task : outcome.tasks) {
    ASSERT_TRUE(task.drafted.has_value());
    EXPECT_GT(task.drafted->seconds, 0);
    const Workload& workload =
        task.name == "conv" ? Conv(0).workload : Matmul(0).workload;
    EXPECT_TRUE(Resolve(workload.dag, task.drafted->schedule, target_).ok());
  }
}

TEST_F(DraftTasksTest, CodeIsShort) {
  const auto statements = [&](int64_t most) {
    options_.most_statements = most;
    const TuningOutcome outcome = Draft({Conv(0)});
    const Workload workload = Conv(0).workload;
    return CountStatements(
        Resolve(workload.dag, outcome.tasks[0].drafted->schedule, target_)
            .value());
  };
  const int64_t any = statements(1000000);
  const int64_t fewest = statements(1);
  EXPECT_LT(fewest, any);
  EXPECT_LE(statements(any - 1), any - 1);
}

// What was measured is not guessed, nor what competes with it.
TEST_F(DraftTasksTest, MeasuredSlotsNeedNoDraft) {
  const TuningOutcome outcome =
      Draft({Conv(0), Matmul(0)}, {RecordOf(Conv(0))});
  EXPECT_EQ(outcome.trials, 1);
  EXPECT_TRUE(outcome.tasks[0].records.best.has_value());
  EXPECT_FALSE(outcome.tasks[0].drafted.has_value());
  EXPECT_FALSE(outcome.tasks[1].drafted.has_value());
}

TEST_F(DraftTasksTest, AnInterruptLeavesTheRestOut) {
  stop_after_ = 1;
  const TuningOutcome outcome = Draft({Conv(0), Matmul(1)});
  EXPECT_EQ(outcome.end, TuningEnd::kInterrupted);
  EXPECT_TRUE(outcome.tasks[0].drafted.has_value());
  EXPECT_FALSE(outcome.tasks[1].drafted.has_value());
}

TEST_F(DraftTasksTest, NoTasksAreAnError) {
  EXPECT_THAT(DraftTasks({}, {}, target_, {}, clock_, {}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace pruner
