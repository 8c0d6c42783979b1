#include "pruner/tune/slot_state.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/tune/task_state.h"

namespace pruner {
namespace {

constexpr double kPeak = 1e9;

// The competitor of the only slot whose turn it is.
std::optional<size_t> Next(const std::vector<TaskState>& tasks,
                           double peak_flops_per_second = kPeak) {
  return SlotsOf(tasks, peak_flops_per_second).at(0).next;
}

// At the peak they take 1 s and 0.4 s.
std::vector<TaskState> Competitors(int64_t trials, double first,
                                   double second) {
  return {{.flops = 1'000'000'000, .trials = trials, .best_seconds = first},
          {.flops = 400'000'000, .trials = trials, .best_seconds = second}};
}

// 1.5^0.5 * 1^1.5 = 1.22 against 2^0.5 * 0.4^1.5 = 0.36.
TEST(SlotStateTest, OfFewTrialsWhatCouldBeFoundSaysMore) {
  EXPECT_EQ(Next(Competitors(8, 1.5, 2)), 1u);
  // Only what was found is known.
  EXPECT_EQ(Next(Competitors(8, 1.5, 2), /*peak_flops_per_second=*/0), 0u);
}

// 1.5^1.79 * 1^0.21 = 2.1 against 3^1.79 * 0.4^0.21 = 5.9.
TEST(SlotStateTest, OfManyTrialsWhatWasFoundDoes) {
  EXPECT_EQ(Next(Competitors(200, 1.5, 3)), 0u);
  EXPECT_EQ(Next(Competitors(200, 1.5, 1.4)), 1u);
}

TEST(SlotStateTest, ConstantsTakeTheirTimeFromMemory) {
  std::vector<TaskState> tasks = Competitors(8, 1.5, 1.9);
  EXPECT_EQ(Next(tasks), 1u);
  tasks[1].stream_seconds = 1.2;
  EXPECT_EQ(Next(tasks), 0u);
  EXPECT_EQ(LeastSeconds(tasks[1], kPeak), 1.2);
  EXPECT_EQ(LeastSeconds(tasks[0], kPeak), 1);
  EXPECT_EQ(LeastSeconds(tasks[1], 0), 0);
}

// Before the fair chance nobody has less than an eighth of another's trials.
TEST(SlotStateTest, TheFairChanceComesOfAnEighth) {
  std::vector<TaskState> tasks = Competitors(0, 9, 0.5);
  tasks[0].flops = 500'000'000;
  tasks[0].trials = 8;
  tasks[1].trials = 63;
  EXPECT_EQ(Next(tasks), 1u);
  tasks[1].trials = 65;
  EXPECT_EQ(Next(tasks), std::optional<size_t>(0));
  tasks[0].trials = 24;
  EXPECT_EQ(Next(tasks), 1u);
}

}  // namespace
}  // namespace pruner
