// How long a run takes.
#ifndef MODELS_RUNTIME_LATENCY_H_
#define MODELS_RUNTIME_LATENCY_H_

#include <functional>
#include <limits>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/clock.h"

namespace pruner {

struct LatencyOptions {
  int warm_up_runs = 3;
  // Runs go on until both are reached, or max_samples.
  int min_samples = 10;
  double min_seconds = 1;  // of all samples together
  int max_samples = std::numeric_limits<int>::max();
};

struct Latency {
  std::vector<double> seconds;  // of each run, in order; not empty

  // What one run usually takes; a disturbance does not move it.
  double Median() const;
  // What one run takes undisturbed.
  double Min() const;
};

// Times `run`, which runs a network once. Its first error ends everything.
absl::StatusOr<Latency> MeasureLatency(absl::FunctionRef<absl::Status()> run,
                                       const LatencyOptions& options = {},
                                       Clock& clock = RealClock());

// Of several networks, which run in turns, so often: what else the machine does
// meanwhile happens to all of them, and what disturbs it for less than half of
// the turns moves no median. `options` are of each turn, of which warm-up runs
// are the first. In the order of `runs`.
absl::StatusOr<std::vector<Latency>> MeasureInTurns(
    absl::Span<const std::function<absl::Status()>> runs, int turns,
    const LatencyOptions& options = {}, Clock& clock = RealClock());

}  // namespace pruner

#endif  // MODELS_RUNTIME_LATENCY_H_
