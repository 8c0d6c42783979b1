// What a tuning is to be like.
#ifndef PRUNER_TUNE_TUNING_OPTIONS_H_
#define PRUNER_TUNE_TUNING_OPTIONS_H_

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace pruner {

struct TuningOptions {
  // Over all tasks, those of earlier records included.
  int64_t trials = 1000;
  // Of these a task has at most so many.
  int64_t task_trials = std::numeric_limits<int64_t>::max();
  // Of this run.
  absl::Duration time_limit = absl::InfiniteDuration();
  // Trials of a task in a row, in its first rounds (rounds.h). Fewer where
  // `trials` would not give every task two rounds.
  int round_trials = 8;
  // How many of each task's fastest candidates race when the search is over
  // (final_race.h); 0: there is no race.
  int race_candidates = 5;
  // Of how many of each task's candidates there is to be a second timing when
  // that is over (second_timings.h), earlier ones included.
  int second_timings = 0;
  uint64_t seed = 1;
};

// InvalidArgument, naming it, if one is out of range.
absl::Status CheckTuningOptions(const TuningOptions& options);

}  // namespace pruner

#endif  // PRUNER_TUNE_TUNING_OPTIONS_H_
