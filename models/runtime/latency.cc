#include "models/runtime/latency.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "absl/log/check.h"
#include "absl/time/time.h"
#include "pruner/base/median.h"
#include "pruner/base/status_macros.h"

namespace pruner {

double Latency::Median() const { return pruner::Median(seconds); }

double Latency::Min() const {
  CHECK(!seconds.empty());
  return *std::min_element(seconds.begin(), seconds.end());
}

absl::StatusOr<Latency> MeasureLatency(absl::FunctionRef<absl::Status()> run,
                                       const LatencyOptions& options,
                                       Clock& clock) {
  for (int i = 0; i < options.warm_up_runs; ++i) RETURN_IF_ERROR(run());
  Latency latency;
  const size_t min_samples = std::max(options.min_samples, 1);
  double total = 0;
  const size_t max_samples = std::max(options.max_samples, 1);
  while (
      latency.seconds.size() < max_samples &&
      (latency.seconds.size() < min_samples || total < options.min_seconds)) {
    const absl::Duration before = clock.Elapsed();
    RETURN_IF_ERROR(run());
    latency.seconds.push_back(absl::ToDoubleSeconds(clock.Elapsed() - before));
    total += latency.seconds.back();
  }
  return latency;
}

absl::StatusOr<std::vector<Latency>> MeasureInTurns(
    absl::Span<const std::function<absl::Status()>> runs, int turns,
    const LatencyOptions& options, Clock& clock) {
  std::vector<Latency> latencies(runs.size());
  for (int turn = 0; turn < turns; ++turn) {
    for (size_t i = 0; i < runs.size(); ++i) {
      ASSIGN_OR_RETURN(const Latency latency,
                       MeasureLatency(runs[i], options, clock));
      latencies[i].seconds.insert(latencies[i].seconds.end(),
                                  latency.seconds.begin(),
                                  latency.seconds.end());
    }
  }
  return latencies;
}

}  // namespace pruner
