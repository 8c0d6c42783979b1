#include "pruner/tune/task_scheduler.h"

#include <cstddef>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/tune/task_state.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;

TaskState TaskOf(int slot, int64_t trials = 0) {
  return {.uses = {{.slot = slot}}, .trials = trials};
}

// The tasks that have their turns, of 8 trials each.
std::vector<size_t> Order(TuningState& state, int turns) {
  RoundRobinScheduler scheduler;
  std::vector<size_t> order;
  for (int i = 0; i < turns; ++i) {
    order.push_back(scheduler.Next(state).value());
    state.tasks[order.back()].trials += 8;
  }
  return order;
}

TEST(RoundRobinSchedulerTest, EveryTaskInTurn) {
  TuningState state = {.tasks = {TaskOf(0), TaskOf(1), TaskOf(2)}};
  EXPECT_THAT(Order(state, 7), ElementsAre(0, 1, 2, 0, 1, 2, 0));
}

TEST(RoundRobinSchedulerTest, SkipsExhaustedTasksAndCatchesUp) {
  TuningState state = {.tasks = {TaskOf(0, 8), TaskOf(1), TaskOf(2, 3)}};
  state.tasks[1].exhausted = true;
  EXPECT_THAT(Order(state, 2), ElementsAre(2, 0));
  for (TaskState& task : state.tasks) task.exhausted = true;
  EXPECT_EQ(RoundRobinScheduler().Next(state), std::nullopt);
}

TEST(RoundRobinSchedulerTest, CompetitorsShareTheTurnsOfTheirSlot) {
  TuningState state = {.tasks = {TaskOf(0), TaskOf(1), TaskOf(1)}};
  EXPECT_THAT(Order(state, 8), ElementsAre(0, 1, 0, 2, 0, 1, 0, 2));
}

TEST(RoundRobinSchedulerTest, WhatComputesLeastBegins) {
  TuningState state = {.tasks = {TaskOf(0), TaskOf(0), TaskOf(0)}};
  state.tasks[0].flops = 3;
  state.tasks[1].flops = 1;
  state.tasks[2].flops = 2;
  EXPECT_THAT(Order(state, 4), ElementsAre(1, 2, 0, 1));
}

TEST(RoundRobinSchedulerTest, SlowCompetitorsGetFewerTrialsInTheEnd) {
  TuningState state = {.tasks = {{.best_seconds = 1.0},
                                 {.best_seconds = 1.2},
                                 {.best_seconds = 3.0},
                                 {}}};
  Order(state, 40);
  const std::vector<TaskState>& tasks = state.tasks;
  // All had their chance; the second is 2.07 times slower by the power of 4.
  EXPECT_EQ(tasks[2].trials, 24);
  EXPECT_EQ(tasks[3].trials, 24);
  EXPECT_EQ(tasks[0].trials + tasks[1].trials, 320 - 48);
  EXPECT_NEAR(static_cast<double>(tasks[0].trials) /
                  static_cast<double>(tasks[1].trials),
              2.07, 0.2);
  state.tasks[0].exhausted = true;
  EXPECT_THAT(Order(state, 1), ElementsAre(1));
}

// Before that they have an eighth of the fastest one's.
TEST(RoundRobinSchedulerTest, SlowCompetitorsWaitForTheirFairChance) {
  TuningState state = {.tasks = {{.best_seconds = 1.0}, {.best_seconds = 3.0}}};
  Order(state, 9);
  EXPECT_EQ(state.tasks[0].trials, 64);
  EXPECT_EQ(state.tasks[1].trials, 8);
  Order(state, 9);
  EXPECT_EQ(state.tasks[0].trials, 128);
  EXPECT_EQ(state.tasks[1].trials, 16);
}

}  // namespace
}  // namespace pruner
