// What the trials of a slot have brought so far, round by round.
#ifndef PRUNER_TUNE_SLOT_HISTORY_H_
#define PRUNER_TUNE_SLOT_HISTORY_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace pruner {

// Depends on the trials of the slot's tasks in the order of the log and on
// nothing else, so that a run that goes on sees what one sees that was never
// stopped. Races are no trials.
class SlotHistory {
 public:
  // So many trials are a round, whichever of the slot's tasks they are of.
  explicit SlotHistory(int round_trials) : round_trials_(round_trials) {}

  // What a trial took; none if it failed.
  void Add(std::optional<double> seconds);

  // The least seconds when each round was over, of the last one so far;
  // infinite before a trial succeeds.
  const std::vector<double>& best_by_round() const { return best_by_round_; }
  int64_t trials() const { return trials_; }
  // Trials behind the fastest one; all, if none succeeded.
  int64_t trials_since_best() const { return trials_since_best_; }

 private:
  int round_trials_;
  std::vector<double> best_by_round_;
  int64_t trials_ = 0;
  int64_t trials_since_best_ = 0;
};

}  // namespace pruner

#endif  // PRUNER_TUNE_SLOT_HISTORY_H_
