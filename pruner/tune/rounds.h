// How many trials a task has before its search, and the scheduler, are asked
// again.
#ifndef PRUNER_TUNE_ROUNDS_H_
#define PRUNER_TUNE_ROUNDS_H_

#include <algorithm>
#include <cstdint>

namespace pruner {

// A task's first round is half as long as the next ones, so that a network is
// soon complete, and what its tasks have taught helps them all. Those after
// some are twice as long: a model of many trials learns little of a few more,
// and what a round costs is the same. Depends on the task's trials alone, so
// that a run that goes on finds its round where it was.
class Rounds {
 public:
  // `trials`, more than 0, are those of the rounds after the first one.
  explicit Rounds(int trials)
      : first_(std::max(1, trials / 2)), trials_(trials) {}

  // Of a task that has had `trials`: how many of them are of the round that is
  // not over.
  int64_t Begun(int64_t trials) const {
    if (trials < first_) return trials;
    const int64_t later = trials - first_;
    return later < kShortRounds * trials_
               ? later % trials_
               : (later - kShortRounds * trials_) % (2 * trials_);
  }
  // And how many are left of it; a whole round, if none has begun.
  int64_t Left(int64_t trials) const {
    if (trials < first_) return first_ - trials;
    const int64_t round =
        trials - first_ < kShortRounds * trials_ ? trials_ : 2 * trials_;
    return round - Begun(trials);
  }

 private:
  // After the first one.
  static constexpr int64_t kShortRounds = 2;

  int64_t first_, trials_;
};

}  // namespace pruner

#endif  // PRUNER_TUNE_ROUNDS_H_
