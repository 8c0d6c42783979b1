// The task whose next round promises the most for the time it takes
// (docs/algorithms.md A10; Ansor, section 6.2, as its code does it).
#ifndef PRUNER_TUNE_GRADIENT_SCHEDULER_H_
#define PRUNER_TUNE_GRADIENT_SCHEDULER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "pruner/tune/objective.h"
#include "pruner/tune/task_scheduler.h"
#include "pruner/tune/task_state.h"

namespace pruner {

struct GradientOptions {
  // The weight of what the last rounds brought, against what is expected of the
  // next.
  double alpha = 0.2;
  // A slot is expected to get to 1 / beta of the speed of those like it.
  double beta = 2;
  // How many rounds the last rounds are.
  int window = 3;
  // Of the target: nothing is expected to be faster. 0: unknown, and then time
  // may go down to nothing, as in Ansor.
  double peak_flops_per_second = 0;
  // While one of several tasks still waits for a fair chance (slot_state.h), a
  // slot is not left behind this share of what turns for all would have given
  // it.
  double fair_share = 0.5;
  // A slot has no more trials when so many in a row brought nothing: its
  // latency counts as final (f4 of A10). 0: it always may.
  int64_t patience = 0;
};

// Slots have rounds, and their tasks share them (slot_state.h): the gradient is
// that of the fastest one's time, for each second that a trial of the one whose
// turn it is takes: a search ends when its time is over, or whoever waits for
// it has no more. The first round of each slot goes before all others. Nobody
// starves: what is expected of a slot does not shrink while others have rounds,
// and of these it does. A slot of which nothing has succeeded has no gradient,
// and the turns that all would have.
class GradientScheduler : public TaskScheduler {
 public:
  explicit GradientScheduler(GradientOptions options = {},
                             std::unique_ptr<const Objective> objective =
                                 std::make_unique<TotalTime>())
      : options_(options), objective_(std::move(objective)) {}

  std::optional<size_t> Next(const TuningState& state) override;

 private:
  GradientOptions options_;
  std::unique_ptr<const Objective> objective_;
};

}  // namespace pruner

#endif  // PRUNER_TUNE_GRADIENT_SCHEDULER_H_
