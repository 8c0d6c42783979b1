#include "pruner/tune/slot_state.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>

#include "absl/types/span.h"
#include "pruner/tune/task_state.h"

namespace pruner {
namespace {

// With fewer trials nothing is said of a competitor. Until it has had a fair
// chance, for which a search needs so many, none counts more than four times.
constexpr int64_t kFirstTrials = 8, kFairTrials = 24;
constexpr double kMostBeforeFair = 4;

// What a task's trials count as when competitors have turns: half as many
// trials for one that is a fifth slower.
double CountedTrials(const TaskState& task, const SlotState& slot) {
  const auto trials = static_cast<double>(task.trials);
  if (task.trials < kFirstTrials || !slot.best_seconds) return trials;
  constexpr double kSlowdownWithoutSuccess = 2;
  constexpr double kPower = 4;
  const double slowdown = task.best_seconds
                              ? *task.best_seconds / *slot.best_seconds
                              : kSlowdownWithoutSuccess;
  const double factor = std::pow(slowdown, kPower);
  return trials * (task.trials < kFairTrials ? std::min(factor, kMostBeforeFair)
                                             : factor);
}

}  // namespace

std::map<int, SlotState> SlotsOf(absl::Span<const TaskState> tasks) {
  std::map<int, SlotState> slots;
  for (size_t i = 0; i < tasks.size(); ++i) {
    const TaskState& task = tasks[i];
    const auto [found, is_new] = slots.try_emplace(task.Slot());
    SlotState& slot = found->second;
    if (is_new) slot.fastest = i;
    ++slot.tasks;
    slot.trials += task.trials;
    if (task.best_seconds &&
        (!slot.best_seconds || *task.best_seconds < *slot.best_seconds)) {
      slot.best_seconds = task.best_seconds;
      slot.fastest = i;
    }
  }
  for (auto& [id, slot] : slots) slot.least_flops = tasks[slot.fastest].flops;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].exhausted) continue;
    SlotState& slot = slots.at(tasks[i].Slot());
    const bool waits = tasks[i].trials < kFairTrials;
    if (waits) slot.least_flops = std::min(slot.least_flops, tasks[i].flops);
    if (!slot.next || CountedTrials(tasks[i], slot) <
                          CountedTrials(tasks[*slot.next], slot)) {
      slot.next = i;
    }
    slot.undecided |= slot.tasks > 1 && waits;
  }
  return slots;
}

}  // namespace pruner
