#include "pruner/tune/task_scheduler.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "absl/log/check.h"
#include "absl/types/span.h"

namespace pruner {

namespace {

struct Slot {
  int64_t trials = 0;
  std::optional<double> best_seconds = std::nullopt;
};

// Competitors with fewer trials are not judged yet: a search needs so many to
// show what a formulation is good for.
constexpr int64_t kFairTrials = 24;

// What a task's trials count as when competitors have turns: half as many
// trials for one that is a fifth slower.
double CountedTrials(const TaskState& task, const Slot& slot) {
  const auto trials = static_cast<double>(task.trials);
  if (task.trials < kFairTrials || !slot.best_seconds) return trials;
  constexpr double kSlowdownWithoutSuccess = 2;
  constexpr double kPower = 4;
  const double slowdown = task.best_seconds
                              ? *task.best_seconds / *slot.best_seconds
                              : kSlowdownWithoutSuccess;
  return trials * std::pow(slowdown, kPower);
}

}  // namespace

size_t RoundRobinScheduler::Next(absl::Span<const TaskState> tasks) {
  std::map<int, Slot> slots;
  for (const TaskState& task : tasks) {
    Slot& slot = slots[task.slot];
    slot.trials += task.trials;
    if (task.best_seconds &&
        (!slot.best_seconds || *task.best_seconds < *slot.best_seconds)) {
      slot.best_seconds = task.best_seconds;
    }
  }
  const auto is_before = [&](size_t i, size_t j) {
    const Slot &a = slots[tasks[i].slot], &b = slots[tasks[j].slot];
    if (&a != &b) return a.trials < b.trials;
    return CountedTrials(tasks[i], a) < CountedTrials(tasks[j], b);
  };
  std::optional<size_t> next;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (!tasks[i].exhausted && (!next || is_before(i, *next))) next = i;
  }
  CHECK(next.has_value()) << "all tasks are exhausted";
  return *next;
}

}  // namespace pruner
