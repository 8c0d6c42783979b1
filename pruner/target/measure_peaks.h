// The peaks of the host, measured: what its cores compute and its memory levels
// deliver.

#ifndef PRUNER_TARGET_MEASURE_PEAKS_H_
#define PRUNER_TARGET_MEASURE_PEAKS_H_

#include <cstdint>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/clock.h"
#include "pruner/target/detect_host.h"

namespace pruner {

// Bandwidths are bytes read and written by a triad a = b + s·c; lines that the
// processor reads only to overwrite them are not counted.
struct MeasuredPeaks {
  double fp32_gflops_per_core = 0;  // one thread
  double fp32_gflops = 0;           // one thread per core
  int64_t fma_pipes =
      0;  // vector FMAs started per cycle, from throughput and latency
  double l1_gb_per_s = 0;  // one thread
  double l2_gb_per_s = 0;  // one thread
  double llc_gb_per_s =
      0;  // one thread per core, the arrays of all fit together
  double dram_gb_per_s = 0;  // one thread per core
  // Whether the figure of all cores can be trusted, see IsConfirmed().
  bool reliable = false;
};

struct PeakOptions {
  // Each figure is the best of many short repetitions: what disturbs a
  // measurement can only slow it down, and on a busy machine a repetition must
  // be short to find its cores undisturbed.
  absl::Duration repetition = absl::Milliseconds(2);
  // Repetitions end when they have taken this long together, but there are at
  // least min_repetitions and at most max_repetitions.
  absl::Duration total = absl::Milliseconds(200);
  int min_repetitions = 5;
  int max_repetitions = 100;
  // Of the arrays that must not fit into a cache, all threads together.
  int64_t max_dram_bytes = 1000000000;
};

// About two seconds with the default options. Every figure is finite and
// positive.
MeasuredPeaks MeasurePeaks(const HostInfo& host, Clock& clock,
                           const PeakOptions& options = {});

// Whether several repetitions came close to the best of these rates. If not,
// the machine was so busy that even the best is hardly what it can do.
bool IsConfirmed(absl::Span<const double> rates);

}  // namespace pruner

#endif  // PRUNER_TARGET_MEASURE_PEAKS_H_
