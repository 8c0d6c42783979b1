#include "pruner/cost/varying_columns.h"

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "pruner/features/feature_rows.h"

namespace pruner {

std::vector<int> VaryingColumns(const FeatureRows& programs) {
  const auto width = static_cast<size_t>(programs.columns);
  const std::vector<float>& values = programs.values;
  std::vector<bool> varies(width);
  for (size_t i = width; i < values.size(); ++i) {
    if (values[i] != values[i % width]) varies[i % width] = true;
  }
  std::vector<int> columns;
  for (size_t column = 0; column < width; ++column) {
    if (varies[column]) columns.push_back(static_cast<int>(column));
  }
  return columns;
}

FeatureRows PickColumns(const FeatureRows& programs,
                        absl::Span<const int> columns) {
  FeatureRows picked = {.columns = static_cast<int>(columns.size()),
                        .ends = programs.ends};
  const auto width = static_cast<size_t>(programs.columns);
  picked.values.resize(static_cast<size_t>(programs.num_rows()) *
                       columns.size());
  float* to = picked.values.data();
  for (size_t row = 0; row < programs.values.size(); row += width) {
    for (const int column : columns) *to++ = programs.values[row + column];
  }
  return picked;
}

}  // namespace pruner
