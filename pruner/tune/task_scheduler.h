// Which task gets the next round of trials.
#ifndef PRUNER_TUNE_TASK_SCHEDULER_H_
#define PRUNER_TUNE_TASK_SCHEDULER_H_

#include <cstddef>
#include <optional>

#include "pruner/tune/task_state.h"

namespace pruner {

class TaskScheduler {
 public:
  virtual ~TaskScheduler() = default;

  // The index of a task that is not exhausted; none if no further trial is
  // worth its time. Tasks keep their indices throughout a run. The choice
  // depends on the state alone, so that a run goes on after an interruption as
  // it would have without.
  virtual std::optional<size_t> Next(const TuningState& state) = 0;
};

// The slot with the fewest trials, the first of several: every slot has its
// turn, and a run that goes on after an interruption makes up for what was
// missed. Within a slot as competitors take turns (slot_state.h).
class RoundRobinScheduler : public TaskScheduler {
 public:
  std::optional<size_t> Next(const TuningState& state) override;
};

}  // namespace pruner

#endif  // PRUNER_TUNE_TASK_SCHEDULER_H_
