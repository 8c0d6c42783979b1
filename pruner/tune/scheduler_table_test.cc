#include "pruner/tune/scheduler_table.h"

#include <memory>
#include <optional>

#include "gtest/gtest.h"
#include "pruner/tune/objective.h"
#include "pruner/tune/slot_history.h"
#include "pruner/tune/task_scheduler.h"
#include "pruner/tune/task_state.h"

namespace pruner {
namespace {

std::unique_ptr<TaskScheduler> Make(const SchedulerEntry& entry) {
  return entry.make({}, std::make_unique<TotalTime>());
}

TEST(SchedulerTableTest, FindsByName) {
  EXPECT_EQ((*FindScheduler(kDefaultScheduler))->name, "gradient");
  EXPECT_EQ((*FindScheduler("round_robin"))->name, kRoundRobin);
  EXPECT_EQ(FindScheduler("luck").status().message(),
            "there is no scheduler 'luck'; --scheduler is one of round_robin, "
            "gradient");
}

// Whoever it is, a single task has all turns, and an exhausted one none.
TEST(SchedulerTableTest, MakesThem) {
  TuningState state = {.tasks = {{}}, .histories = {{0, SlotHistory(8)}}};
  for (const SchedulerEntry& entry : Schedulers()) {
    state.tasks[0].exhausted = false;
    EXPECT_EQ(Make(entry)->Next(state), 0u) << entry.name;
    state.tasks[0].exhausted = true;
    EXPECT_EQ(Make(entry)->Next(state), std::nullopt) << entry.name;
  }
}

}  // namespace
}  // namespace pruner
