#include "pruner/tune/slot_state.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "absl/types/span.h"
#include "pruner/tune/task_state.h"
#include "pruner/tune/task_use.h"

namespace pruner {
namespace {

// With fewer trials nothing is said of a competitor. Until it has had a fair
// chance, for which a search needs so many, none counts more than four times.
constexpr int64_t kFirstTrials = 4, kFairTrials = 24;
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

// Whether the task can be the fastest nowhere: in each of its slots something
// was faster than it ever can be. Peaks are measured, and not exactly.
bool IsHopeless(const TaskState& task, const std::map<int, SlotState>& slots,
                double peak_flops_per_second) {
  constexpr double kMargin = 0.9;
  const double least =
      kMargin * LeastSeconds(task.flops, peak_flops_per_second);
  return std::all_of(
      task.uses.begin(), task.uses.end(), [&](const TaskUse& use) {
        const auto slot = slots.find(use.slot);
        return slot != slots.end() && slot->second.best_seconds &&
               *slot->second.best_seconds < least;
      });
}

}  // namespace

double LeastSeconds(int64_t flops, double peak_flops_per_second) {
  return peak_flops_per_second > 0
             ? static_cast<double>(flops) / peak_flops_per_second
             : 0;
}

std::map<int, SlotState> SlotsOf(absl::Span<const TaskState> tasks,
                                 double peak_flops_per_second) {
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
    if (i != slot.fastest &&
        IsHopeless(tasks[i], slots, peak_flops_per_second)) {
      continue;
    }
    const bool waits = tasks[i].trials < kFairTrials;
    if (waits) slot.least_flops = std::min(slot.least_flops, tasks[i].flops);
    const auto rank = [&](const TaskState& task) {
      return std::pair(CountedTrials(task, slot), task.flops);
    };
    if (!slot.next || rank(tasks[i]) < rank(tasks[*slot.next])) slot.next = i;
    slot.undecided |= slot.tasks > 1 && waits;
  }
  return slots;
}

}  // namespace pruner
