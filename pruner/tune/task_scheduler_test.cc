#include "pruner/tune/task_scheduler.h"

#include <cstddef>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

TEST(RoundRobinSchedulerTest, EveryTaskInTurn) {
  RoundRobinScheduler scheduler;
  std::vector<TaskState> tasks(3);
  std::vector<size_t> order;
  for (int i = 0; i < 7; ++i) {
    order.push_back(scheduler.Next(tasks));
    tasks[order.back()].trials += 8;
  }
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 0, 1, 2, 0));
}

TEST(RoundRobinSchedulerTest, SkipsExhaustedTasksAndCatchesUp) {
  RoundRobinScheduler scheduler;
  std::vector<TaskState> tasks = {
      {.trials = 8}, {.trials = 0, .exhausted = true}, {.trials = 3}};
  EXPECT_EQ(scheduler.Next(tasks), 2u);
  tasks[2].trials = 9;
  EXPECT_EQ(scheduler.Next(tasks), 0u);
}

}  // namespace
}  // namespace pruner
