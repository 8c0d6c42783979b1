#include "pruner/tune/slot_state.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/types/span.h"
#include "pruner/tune/task_state.h"
#include "pruner/tune/task_use.h"

namespace pruner {
namespace {

// With fewer trials nothing is said of a competitor. Until it has had a fair
// chance, for which a search needs so many, none counts more than eight times.
constexpr int64_t kFirstTrials = 4, kFairTrials = 24;
constexpr double kMostBeforeFair = 8;

double SecondsAtPeak(const TaskState& task, double peak_flops_per_second) {
  return peak_flops_per_second > 0
             ? static_cast<double>(task.flops) / peak_flops_per_second
             : 0;
}

// By which competitors are compared: what was found and what could be, with the
// weights that its trials and those of the fair chance have. Within a few
// trials the one that is the fastest by far in the end may be the slower one
// (docs/search.md). In square seconds, so that after the fair chance both count
// as they are.
double Promise(const TaskState& task, double least_seconds) {
  const auto trials = static_cast<double>(task.trials);
  const double found = 2 * trials / (trials + kFairTrials);
  return std::pow(*task.best_seconds, found) *
         std::pow(least_seconds, 2 - found);
}

// How many times as slow as the most promising task of its slot each one counts
// that has had its first trials.
class Slowdowns {
 public:
  Slowdowns(absl::Span<const TaskState> tasks, double peak_flops_per_second)
      : peak_(peak_flops_per_second) {
    for (const TaskState& task : tasks) {
      if (LeastSeconds(task, peak_) <= 0) unknown_.insert(task.Slot());
    }
    for (const TaskState& task : tasks) {
      if (!task.best_seconds) continue;
      const double value = ValueOf(task);
      const auto [best, is_new] = best_.emplace(task.Slot(), value);
      if (!is_new) best->second = std::min(best->second, value);
    }
  }

  double Of(const TaskState& task) const {
    constexpr double kWithoutSuccess = 2;
    const auto best = best_.find(task.Slot());
    if (best == best_.end()) return 1;
    return task.best_seconds ? ValueOf(task) / best->second : kWithoutSuccess;
  }

 private:
  double ValueOf(const TaskState& task) const {
    return unknown_.contains(task.Slot())
               ? *task.best_seconds
               : Promise(task, LeastSeconds(task, peak_));
  }

  const double peak_;
  std::set<int> unknown_;       // slots in which nothing is known of some task
  std::map<int, double> best_;  // by slot
};

// What a task's trials count as when competitors have turns: half as many
// trials for one that is a fifth slower.
double CountedTrials(const TaskState& task, const Slowdowns& slowdowns) {
  const auto trials = static_cast<double>(task.trials);
  if (task.trials < kFirstTrials) return trials;
  constexpr double kPower = 4;
  const double factor = std::pow(slowdowns.Of(task), kPower);
  return trials * (task.trials < kFairTrials ? std::min(factor, kMostBeforeFair)
                                             : factor);
}

// Whether the task can be the fastest nowhere: in each of its slots something
// was faster than it ever can be. Peaks are measured, and not exactly.
bool IsHopeless(const TaskState& task, const std::map<int, SlotState>& slots,
                double peak_flops_per_second) {
  constexpr double kMargin = 0.9;
  const double least = kMargin * SecondsAtPeak(task, peak_flops_per_second);
  return std::all_of(
      task.uses.begin(), task.uses.end(), [&](const TaskUse& use) {
        const auto slot = slots.find(use.slot);
        return slot != slots.end() && slot->second.best_seconds &&
               *slot->second.best_seconds < least;
      });
}

}  // namespace

double LeastSeconds(const TaskState& task, double peak_flops_per_second) {
  const double seconds = SecondsAtPeak(task, peak_flops_per_second);
  return seconds > 0 ? std::max(seconds, task.stream_seconds) : 0;
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
  const auto least = [&](size_t i) {
    return LeastSeconds(tasks[i], peak_flops_per_second);
  };
  for (auto& [id, slot] : slots) slot.least_seconds = least(slot.fastest);
  const Slowdowns slowdowns(tasks, peak_flops_per_second);
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].exhausted) continue;
    SlotState& slot = slots.at(tasks[i].Slot());
    if (i != slot.fastest &&
        IsHopeless(tasks[i], slots, peak_flops_per_second)) {
      continue;
    }
    const bool waits = tasks[i].trials < kFairTrials;
    if (waits) slot.least_seconds = std::min(slot.least_seconds, least(i));
    const auto rank = [&](const TaskState& task) {
      return std::pair(CountedTrials(task, slowdowns), task.flops);
    };
    if (!slot.next || rank(tasks[i]) < rank(tasks[*slot.next])) slot.next = i;
    slot.undecided |= slot.tasks > 1 && waits;
  }
  return slots;
}

}  // namespace pruner
