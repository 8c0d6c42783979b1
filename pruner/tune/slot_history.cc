#include "pruner/tune/slot_history.h"

#include <limits>
#include <optional>

namespace pruner {

void SlotHistory::Add(std::optional<double> seconds) {
  if (trials_ % round_trials_ == 0) {
    best_by_round_.push_back(best_by_round_.empty()
                                 ? std::numeric_limits<double>::infinity()
                                 : best_by_round_.back());
  }
  ++trials_;
  ++trials_since_best_;
  if (seconds && *seconds < best_by_round_.back()) {
    best_by_round_.back() = *seconds;
    trials_since_best_ = 0;
  }
}

}  // namespace pruner
