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

void FeatureRows::Append(absl::Span<const float> rows) {
  const auto width = static_cast<size_t>(columns);
  CHECK(width > 0 && !rows.empty() && rows.size() % width == 0)
      << rows.size() << " values are no rows of " << columns;
  values.insert(values.end(), rows.begin(), rows.end());
  ends.push_back(static_cast<int32_t>(values.size() / width));
}

void FeatureRows::Clear() {
  values.clear();
  ends.clear();
}

}  // namespace pruner
