#include "pruner/pacm/normaliser.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_shape.h"

namespace pruner {
namespace {

constexpr float kLimit = 5;
// So large that nothing is left of a value.
constexpr float kIgnored = std::numeric_limits<float>::max();
// Of a variance, below which a column is taken not to vary but for rounding.
constexpr double kLeastVariance = 1e-8;

// Every `columns`-th value is of one column.
ColumnScales Largest(absl::Span<const float> values, int columns) {
  const auto width = static_cast<size_t>(columns);
  std::vector<float> largest(width, -std::numeric_limits<float>::infinity());
  for (size_t i = 0; i < values.size(); ++i) {
    largest[i % width] = std::max(largest[i % width], values[i]);
  }
  for (float& value : largest) {
    if (value <= 0) value = 1;
  }
  return {.shifts = std::vector<float>(width), .divisors = largest};
}

ColumnScales Standard(absl::Span<const float> values, int columns) {
  const auto width = static_cast<size_t>(columns);
  std::vector<double> sums(width), squares(width);
  const size_t rows = std::max<size_t>(1, values.size() / width);
  const auto count = static_cast<double>(rows);
  for (size_t i = 0; i < values.size(); ++i) sums[i % width] += values[i];
  for (size_t i = 0; i < values.size(); ++i) {
    const double from_mean = values[i] - sums[i % width] / count;
    squares[i % width] += from_mean * from_mean;
  }
  ColumnScales scales;
  for (size_t i = 0; i < width; ++i) {
    const double variance = squares[i] / count;
    scales.shifts.push_back(static_cast<float>(sums[i] / count));
    scales.divisors.push_back(variance > kLeastVariance
                                  ? static_cast<float>(std::sqrt(variance))
                                  : kIgnored);
  }
  return scales;
}

ColumnScales Repeated(const ColumnScales& scales, int times) {
  ColumnScales repeated;
  for (int i = 0; i < times; ++i) {
    repeated.shifts.insert(repeated.shifts.end(), scales.shifts.begin(),
                           scales.shifts.end());
    repeated.divisors.insert(repeated.divisors.end(), scales.divisors.begin(),
                             scales.divisors.end());
  }
  return repeated;
}

ColumnScales ScaleIgnored(ColumnScales kept, const ColumnScales& fitted) {
  for (size_t i = 0; i < kept.divisors.size(); ++i) {
    if (kept.divisors[i] != kIgnored) continue;
    kept.shifts[i] = fitted.shifts[i];
    kept.divisors[i] = fitted.divisors[i];
  }
  return kept;
}

bool AreScales(const ColumnScales& scales, int columns) {
  const auto width = static_cast<size_t>(columns);
  return scales.shifts.size() == width && scales.divisors.size() == width &&
         std::all_of(scales.shifts.begin(), scales.shifts.end(),
                     [](float value) { return std::isfinite(value); }) &&
         std::all_of(
             scales.divisors.begin(), scales.divisors.end(),
             [](float value) { return std::isfinite(value) && value > 0; });
}

}  // namespace

Normaliser FitNormaliser(Normalisation normalisation, const NetworkShape& shape,
                         const FeatureRows& programs) {
  Normaliser normaliser;
  if (normalisation == Normalisation::kLargest) {
    if (shape.reads_rows())
      normaliser.rows = Largest(programs.values, shape.row_columns);
    if (shape.reads_blocks()) {
      normaliser.blocks = Repeated(
          Largest(programs.program_values, shape.block_columns), shape.blocks);
    }
    return normaliser;
  }
  normaliser.limit = kLimit;
  if (shape.reads_rows())
    normaliser.rows = Standard(programs.values, shape.row_columns);
  if (shape.reads_blocks()) {
    normaliser.blocks =
        Standard(programs.program_values, shape.blocks * shape.block_columns);
  }
  return normaliser;
}

Normaliser ScaleIgnored(const Normaliser& kept, const Normaliser& fitted) {
  return {.rows = ScaleIgnored(kept.rows, fitted.rows),
          .blocks = ScaleIgnored(kept.blocks, fitted.blocks),
          .limit = kept.limit};
}

absl::Status CheckNormaliser(const NetworkShape& shape,
                             const Normaliser& normaliser) {
  if (AreScales(normaliser.rows, shape.row_columns) &&
      AreScales(normaliser.blocks, shape.blocks * shape.block_columns) &&
      std::isfinite(normaliser.limit) && normaliser.limit >= 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "the normaliser must have one shift and one positive divisor for each "
      "column");
}

}  // namespace pruner
