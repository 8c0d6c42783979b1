// The tasks that compete for a slot, taken together.
#ifndef PRUNER_TUNE_SLOT_STATE_H_
#define PRUNER_TUNE_SLOT_STATE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "absl/types/span.h"
#include "pruner/tune/task_state.h"

namespace pruner {

struct SlotState {
  int tasks = 0;
  int64_t trials = 0;
  // Of the fastest task, the first one while none has succeeded.
  std::optional<double> best_seconds = std::nullopt;
  size_t fastest = 0;
  // Whose turn it is: competitors have turns likewise at first, 4 trials each,
  // beginning with what computes least; then the slower one is than the
  // fastest, the fewer trials it gets, but an eighth of the fastest one's at
  // least until it has had a fair chance, 24. How slow it is is told by what
  // was found and by what it could get down to, the less by that the more
  // trials it had. One that takes longer at the least than the fastest does has
  // none. None if all are exhausted.
  std::optional<size_t> next = std::nullopt;
  // Whether a competitor still waits for the fair chance.
  bool undecided = false;
  // What it may get down to at the least: the least of LeastSeconds of the
  // fastest task and of those that wait for the fair chance.
  double least_seconds = 0;
};

// What the task takes if it computes at the peak, or as long as its constants
// are on their way; 0 if the peak is 0, for unknown.
double LeastSeconds(const TaskState& task, double peak_flops_per_second);

// By the slot in which tasks have their turns. Peak: 0 if it is unknown.
std::map<int, SlotState> SlotsOf(absl::Span<const TaskState> tasks,
                                 double peak_flops_per_second);

}  // namespace pruner

#endif  // PRUNER_TUNE_SLOT_STATE_H_
