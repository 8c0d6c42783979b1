#include "halide_ext/runner/timing_options.h"

#include <algorithm>
#include <numeric>

namespace pruner {
namespace {

// One short sample alone may have been disturbed: runs of 16 microseconds have
// taken 120.
constexpr int kSamplesToGiveUp = 3;

}  // namespace

bool WantsSample(absl::Span<const double> seconds, int runs,
                 const TimingOptions& options) {
  if (seconds.empty()) return true;
  const int samples = static_cast<int>(seconds.size());
  const double total =
      runs * std::accumulate(seconds.begin(), seconds.end(), 0.0);
  const bool is_long = total >= options.min_seconds;
  const double least = *std::min_element(seconds.begin(), seconds.end());
  if (least > options.give_up_seconds &&
      (samples >= kSamplesToGiveUp || is_long)) {
    return false;
  }
  if (total + total / samples > options.max_seconds) return false;
  return samples < options.max_samples &&
         (samples < options.min_samples || !is_long);
}

}  // namespace pruner
