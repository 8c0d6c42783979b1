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
  // fastest, the fewer trials it gets, but a quarter of the fastest one's at
  // least until it has had a fair chance, 24. One that takes longer at the peak
  // than the fastest does has none. None if all are exhausted.
  std::optional<size_t> next = std::nullopt;
  // Whether a competitor still waits for the fair chance.
  bool undecided = false;
  // The least of what the fastest task and those that wait for the fair chance
  // have to compute.
  int64_t least_flops = 0;
};

// What so many operations take at the peak; 0 if that is 0, for unknown.
double LeastSeconds(int64_t flops, double peak_flops_per_second);

// By the slot in which tasks have their turns. Peak: 0 if it is unknown.
std::map<int, SlotState> SlotsOf(absl::Span<const TaskState> tasks,
                                 double peak_flops_per_second);

}  // namespace pruner

#endif  // PRUNER_TUNE_SLOT_STATE_H_
