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
  std::vector<TaskState> tasks = {{.slot = 0}, {.slot = 1}, {.slot = 2}};
  std::vector<size_t> order;
  for (int i = 0; i < 7; ++i) {
    order.push_back(scheduler.Next(tasks));
    tasks[order.back()].trials += 8;
  }
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 0, 1, 2, 0));
}

TEST(RoundRobinSchedulerTest, SkipsExhaustedTasksAndCatchesUp) {
  RoundRobinScheduler scheduler;
  std::vector<TaskState> tasks = {{.slot = 0, .trials = 8},
                                  {.slot = 1, .trials = 0, .exhausted = true},
                                  {.slot = 2, .trials = 3}};
  EXPECT_EQ(scheduler.Next(tasks), 2u);
  tasks[2].trials = 9;
  EXPECT_EQ(scheduler.Next(tasks), 0u);
}

TEST(RoundRobinSchedulerTest, CompetitorsShareTheTurnsOfTheirSlot) {
  RoundRobinScheduler scheduler;
  std::vector<TaskState> tasks = {{.slot = 0}, {.slot = 1}, {.slot = 1}};
  std::vector<size_t> order;
  for (int i = 0; i < 8; ++i) {
    order.push_back(scheduler.Next(tasks));
    tasks[order.back()].trials += 8;
  }
  EXPECT_THAT(order, ElementsAre(0, 1, 0, 2, 0, 1, 0, 2));
}

TEST(RoundRobinSchedulerTest, SlowCompetitorsGetFewerTrialsInTheEnd) {
  RoundRobinScheduler scheduler;
  std::vector<TaskState> tasks = {
      {.best_seconds = 1.0}, {.best_seconds = 1.2}, {.best_seconds = 3.0}, {}};
  for (int i = 0; i < 40; ++i) tasks[scheduler.Next(tasks)].trials += 8;
  // All had their chance; the second is 2.07 times slower by the power of 4.
  EXPECT_EQ(tasks[2].trials, 24);
  EXPECT_EQ(tasks[3].trials, 24);
  EXPECT_EQ(tasks[0].trials + tasks[1].trials, 320 - 48);
  EXPECT_NEAR(static_cast<double>(tasks[0].trials) /
                  static_cast<double>(tasks[1].trials),
              2.07, 0.2);
  tasks[0].exhausted = true;
  EXPECT_EQ(scheduler.Next(tasks), 1u);
}

}  // namespace
}  // namespace pruner
