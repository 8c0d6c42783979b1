#include "pruner/cost/pack_loss.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/features/feature_rows.h"

namespace pruner {
namespace {

float Rounded(double value) {
  constexpr double kScale = 1 << 20;
  return static_cast<float>(std::nearbyint(value * kScale) / kScale);
}

}  // namespace

std::vector<double> SumByProgram(const FeatureRows& programs,
                                 absl::Span<const float> row_scores) {
  std::vector<double> sums;
  sums.reserve(programs.ends.size());
  size_t row = 0;
  for (const int32_t end : programs.ends) {
    double sum = 0;
    for (; row < static_cast<size_t>(end); ++row) sum += row_scores[row];
    sums.push_back(sum);
  }
  return sums;
}

double PackRmse(absl::Span<const double> scores,
                absl::Span<const float> labels) {
  double sum = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    const double difference = scores[i] - labels[i];
    sum += difference * difference;
  }
  return std::sqrt(sum / static_cast<double>(scores.size()));
}

void PackDerivatives(const FeatureRows& programs,
                     absl::Span<const double> scores,
                     absl::Span<const float> labels, const PackLossShape& shape,
                     RowDerivatives& result) {
  result.gradients.clear();
  result.hessians.clear();
  for (size_t i = 0; i < scores.size(); ++i) {
    const double weight = std::max<double>(labels[i], shape.min_weight);
    const size_t first = result.gradients.size();
    const auto end = static_cast<size_t>(programs.ends[i]);
    result.gradients.resize(end, Rounded((scores[i] - labels[i]) * weight));
    result.hessians.resize(
        end, Rounded(weight * std::pow(end - first, shape.row_damping)));
  }
}

}  // namespace pruner
