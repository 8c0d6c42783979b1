#include "pruner/schedule/schedule_hash.h"

#include <cstdint>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace pruner {
namespace {

// A step of every sort of field, each of them changed, and the steps in another
// order.
TEST(ScheduleHashTest, EverythingCounts) {
  const SplitStep split = {.stage = 1, .iterator = 2, .lengths = {3, 4}};
  const std::vector<Schedule> schedules = {
      {},
      {.steps = {split}},
      {.steps = {split, split}},
      {.steps = {SplitStep{.stage = 2, .iterator = 2, .lengths = {3, 4}}}},
      {.steps = {SplitStep{.stage = 1, .iterator = 1, .lengths = {3, 4}}}},
      {.steps = {SplitStep{.stage = 1, .iterator = 2, .lengths = {4, 3}}}},
      {.steps = {SplitStep{.stage = 1, .iterator = 2, .lengths = {3}}}},
      {.steps = {SplitStep{.stage = 1,
                           .iterator = 2,
                           .lengths = {3, 4},
                           .tail = Tail::kShiftInwards}}},
      {.steps = {split, ComputeRootStep{.stage = 1}}},
      {.steps = {ComputeRootStep{.stage = 1}, split}},
      {.steps = {split, ComputeInlineStep{.stage = 1}}}};
  std::set<uint64_t> hashes;
  for (const Schedule& schedule : schedules) {
    EXPECT_TRUE(hashes.insert(ScheduleHash(schedule)).second);
    EXPECT_EQ(ScheduleHash(schedule), ScheduleHash(Schedule(schedule)));
  }
}

}  // namespace
}  // namespace pruner
