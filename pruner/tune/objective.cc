#include "pruner/tune/objective.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace pruner {

double TotalTime::Value(absl::Span<const double> seconds) const {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

double TotalTimeAboveLimits::Value(absl::Span<const double> seconds) const {
  CHECK_EQ(seconds.size(), limits_.size());
  double sum = 0;
  for (size_t i = 0; i < seconds.size(); ++i)
    sum += std::max(seconds[i], limits_[i]);
  return sum;
}

double GeometricMeanTime::Value(absl::Span<const double> seconds) const {
  double sum_of_logs = 0;
  for (const double time : seconds) sum_of_logs += std::log(time);
  return std::exp(sum_of_logs / static_cast<double>(seconds.size()));
}

absl::StatusOr<std::unique_ptr<const Objective>> MakeObjective(
    absl::string_view name, std::vector<double> limits) {
  if (name == kDefaultObjective) {
    if (limits.empty()) return std::make_unique<TotalTime>();
    return std::make_unique<TotalTimeAboveLimits>(std::move(limits));
  }
  if (name != "geometric_mean") {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no objective '", name,
                     "'; --objective is one of total_time, geometric_mean"));
  }
  if (!limits.empty()) {
    return absl::InvalidArgumentError(
        "--latency_limits are for --objective=total_time");
  }
  return std::make_unique<GeometricMeanTime>();
}

std::vector<double> Derivatives(const Objective& objective,
                                absl::Span<const double> seconds) {
  constexpr double kStep = 1e-4;
  const double value = objective.Value(seconds);
  std::vector<double> derivatives;
  std::vector<double> moved(seconds.begin(), seconds.end());
  for (size_t i = 0; i < moved.size(); ++i) {
    // Where tuning leads: down.
    const double step = kStep * seconds[i];
    moved[i] = seconds[i] - step;
    derivatives.push_back((value - objective.Value(moved)) / step);
    moved[i] = seconds[i];
  }
  return derivatives;
}

}  // namespace pruner
