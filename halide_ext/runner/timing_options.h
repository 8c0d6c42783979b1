// How many samples are taken of a candidate's time.
#ifndef HALIDE_EXT_RUNNER_TIMING_OPTIONS_H_
#define HALIDE_EXT_RUNNER_TIMING_OPTIONS_H_

#include "absl/types/span.h"

namespace pruner {

struct TimingOptions {
  int min_samples = 3;
  int max_samples = 50;
  double min_seconds = 0.02;  // all samples together
  // One that would make them longer than this together is not taken, be there
  // ever so few.
  double max_seconds = 1e9;
  // If the first few samples are all slower than this there are no more.
  double give_up_seconds = 1e9;
  // A sample is the mean of as many runs in a row as take so long; 0: of one.
  double sample_seconds = 0;
};

// Whether there is to be another one after these, of so many runs each.
bool WantsSample(absl::Span<const double> seconds, int runs,
                 const TimingOptions& options);

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_TIMING_OPTIONS_H_
