// Points of curves for tests.
#ifndef TOOLS_CURVES_SAMPLE_POINTS_H_
#define TOOLS_CURVES_SAMPLE_POINTS_H_

#include <cstdint>

#include "absl/time/time.h"
#include "pruner/tune/convergence.h"

namespace pruner {

// After so many seconds the network takes so many milliseconds.
inline ConvergencePoint Point(int64_t trials, double seconds, double ms) {
  return {.trials = trials,
          .elapsed = absl::Seconds(seconds),
          .network_seconds = 1e-3 * ms};
}

}  // namespace pruner

#endif  // TOOLS_CURVES_SAMPLE_POINTS_H_
