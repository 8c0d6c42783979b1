// How a search went on, as its log tells it.
#ifndef PRUNER_TUNE_CONVERGENCE_H_
#define PRUNER_TUNE_CONVERGENCE_H_

#include <cstdint>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/record/log_contents.h"
#include "pruner/tune/distinct_tasks.h"

namespace pruner {

struct ConvergencePoint {
  int64_t trials = 0;  // of these tasks, until now
  absl::Duration elapsed = absl::ZeroDuration();
  // NetworkSeconds() of what was known then.
  double network_seconds = 0;

  bool operator==(const ConvergencePoint&) const = default;
};

// The trials after which the tasks together would take less time than before,
// from the first one at which each slot has something that runs, and the last
// trial. Races are left out: they are no part of the search, and their times
// are not the luckiest ones. Of a log that several runs have written the time
// between them does not count.
std::vector<ConvergencePoint> ConvergenceOf(
    absl::Span<const DistinctTask> tasks, const LogContents& log);

}  // namespace pruner

#endif  // PRUNER_TUNE_CONVERGENCE_H_
