// How many trials a task has before its search, and the scheduler, are asked
// again.
#ifndef PRUNER_TUNE_ROUNDS_H_
#define PRUNER_TUNE_ROUNDS_H_

#include <cstdint>

namespace pruner {

// A task's first rounds are short, so that its model soon knows something of
// it. Later ones are twice as long: a model of many trials learns little of a
// few more, and what a round costs is the same. Depends on the task's trials
// alone, so that a run that goes on finds its round where it was.
class Rounds {
 public:
  // `trials`, more than 0, are those of the first rounds.
  explicit Rounds(int trials) : trials_(trials) {}

  // Of a task that has had `trials`: how many of them are of the round that is
  // not over.
  int64_t Begun(int64_t trials) const {
    return trials < kShortRounds * trials_
               ? trials % trials_
               : (trials - kShortRounds * trials_) % (2 * trials_);
  }
  // And how many are left of it; a whole round, if none has begun.
  int64_t Left(int64_t trials) const {
    const int64_t round =
        trials < kShortRounds * trials_ ? trials_ : 2 * trials_;
    return round - Begun(trials);
  }

 private:
  static constexpr int64_t kShortRounds = 2;

  int64_t trials_;
};

}  // namespace pruner

#endif  // PRUNER_TUNE_ROUNDS_H_
