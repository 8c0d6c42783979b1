#include "pruner/features/feature_rows.h"

#include <cstddef>
#include <cstdint>

#include "absl/log/check.h"
#include "absl/types/span.h"

namespace pruner {

absl::Span<const float> FeatureRows::rows(int program) const {
  const auto first = static_cast<size_t>(begin(program));
  const auto end = static_cast<size_t>(ends[static_cast<size_t>(program)]);
  const auto width = static_cast<size_t>(columns);
  return absl::MakeConstSpan(values).subspan(first * width,
                                             (end - first) * width);
}

absl::Span<const float> FeatureRows::program_row(int program) const {
  const auto width = static_cast<size_t>(program_columns);
  return absl::MakeConstSpan(program_values)
      .subspan(static_cast<size_t>(program) * width, width);
}

void FeatureRows::Append(absl::Span<const float> rows,
                         absl::Span<const float> program_row) {
  const auto width = static_cast<size_t>(columns);
  CHECK(width > 0 && !rows.empty() && rows.size() % width == 0)
      << rows.size() << " values are no rows of " << columns;
  CHECK_EQ(program_row.size(), static_cast<size_t>(program_columns))
      << "a program's own values";
  values.insert(values.end(), rows.begin(), rows.end());
  ends.push_back(static_cast<int32_t>(values.size() / width));
  program_values.insert(program_values.end(), program_row.begin(),
                        program_row.end());
}

void FeatureRows::AppendFrom(const FeatureRows& others, int program) {
  Append(others.rows(program), others.program_row(program));
}

void FeatureRows::AppendAll(const FeatureRows& others) {
  for (int i = 0; i < others.num_programs(); ++i) AppendFrom(others, i);
}

FeatureRows FeatureRows::Slice(int begin, int end) const {
  FeatureRows slice = {.columns = columns, .program_columns = program_columns};
  for (int i = begin; i < end; ++i) slice.AppendFrom(*this, i);
  return slice;
}

void FeatureRows::Clear() {
  values.clear();
  ends.clear();
  program_values.clear();
}

}  // namespace pruner
