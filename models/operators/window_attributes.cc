#include "models/operators/window_attributes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::Status CheckWindowAttribute(absl::string_view what,
                                  const std::vector<int64_t>& values,
                                  size_t count, int64_t lowest) {
  if (values.empty()) return absl::OkStatus();
  if (values.size() != count)
    return Invalid(what, " must have ", count, " values, not ", values.size());
  for (size_t i = 0; i < count; ++i) {
    RETURN_IF_ERROR(CheckRange(absl::StrCat(what, "[", i, "]"), values[i],
                               lowest, kMaxAttribute));
  }
  return absl::OkStatus();
}

std::vector<int64_t> WithDefault(const std::vector<int64_t>& values,
                                 size_t count, int64_t fallback) {
  return values.empty() ? std::vector<int64_t>(count, fallback) : values;
}

absl::StatusOr<int64_t> WindowedExtent(size_t dimension,
                                       const WindowSpec& spec) {
  const int64_t window = (spec.kernel - 1) * spec.dilation + 1;
  int64_t windows = spec.windows;
  if (windows == 0) {
    ASSIGN_OR_RETURN(
        windows, CountWindows(absl::StrCat(dimension), spec.input,
                              spec.padding_before + spec.padding_after, window,
                              spec.stride));
  }
  RETURN_IF_ERROR(
      CheckRange("the number of windows", windows, 1, kMaxTensorElements));
  RETURN_IF_ERROR(CheckRange("the extent of all windows",
                             (windows - 1) * spec.stride + window, 1,
                             kMaxAttribute));
  return windows;
}

std::string ExtentsText(const std::vector<int64_t>& extents) {
  return absl::StrJoin(extents, "x");
}

}  // namespace pruner
