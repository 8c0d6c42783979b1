// Which task gets the next round of trials.
#ifndef PRUNER_TUNE_TASK_SCHEDULER_H_
#define PRUNER_TUNE_TASK_SCHEDULER_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"

namespace pruner {

// How far a task has got, earlier runs included.
struct TaskState {
  double weight = 1;
  int slot = 0;  // tasks of the same slot compete: only the fastest counts
  int64_t flops = 0;
  int64_t trials = 0;
  std::optional<double> best_seconds = std::nullopt;  // none has succeeded yet
  bool exhausted = false;  // there is nothing left to measure
};

class TaskScheduler {
 public:
  virtual ~TaskScheduler() = default;

  // The index of a task that is not exhausted, of which there is one. Tasks
  // keep their indices throughout a run.
  virtual size_t Next(absl::Span<const TaskState> tasks) = 0;
};

// The slot with the fewest trials, the first of several: every slot has its
// turn, and a run that goes on after an interruption makes up for what was
// missed. Within a slot tasks have their turns likewise, until each has had a
// fair chance; then the slower a task is than the fastest, the fewer trials it
// gets.
class RoundRobinScheduler : public TaskScheduler {
 public:
  size_t Next(absl::Span<const TaskState> tasks) override;
};

}  // namespace pruner

#endif  // PRUNER_TUNE_TASK_SCHEDULER_H_
