// What a tuning run tells while it goes on.
#ifndef PRUNER_TUNE_TUNING_PROGRESS_H_
#define PRUNER_TUNE_TUNING_PROGRESS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "pruner/record/measure_record.h"

namespace pruner {

struct TuningProgress {
  int64_t done = 0;   // trials, earlier runs included
  int64_t total = 0;  // trials asked for
  absl::Duration elapsed = absl::ZeroDuration();  // of this run
  double trials_per_second = 0;                   // of this run; 0: not known
  // Until the trials are done or the time limit is reached.
  std::optional<absl::Duration> remaining = std::nullopt;
  // The sum of the slots' best costs (of tasks, where none share a slot), each
  // times its weight; none until every slot has a candidate that ran.
  std::optional<double> network_seconds = std::nullopt;
  // What was measured just now, and the name of its workload.
  MeasureRecord last = {};
  std::string task = {};
};

// Of races, or of second timings, at the end of a run.
struct RaceProgress {
  int task = 0;   // which of them races next, from 1
  int tasks = 0;  // that race
  // As above, with the times of those that have raced.
  std::optional<double> network_seconds = std::nullopt;
};

class TuningListener {
 public:
  virtual ~TuningListener() = default;

  // After each trial, which is in the log by then. Its time counts as the
  // tuner's own.
  virtual void OnProgress(const TuningProgress& progress) = 0;

  // Before candidates of a task are timed again.
  virtual void OnRace(const RaceProgress& progress) = 0;
};

}  // namespace pruner

#endif  // PRUNER_TUNE_TUNING_PROGRESS_H_
