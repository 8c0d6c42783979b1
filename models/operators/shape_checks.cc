#include "models/operators/shape_checks.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "pruner/base/status_macros.h"

namespace pruner {
absl::Status CheckRange(absl::string_view what, int64_t value, int64_t lowest,
                        int64_t highest) {
  if (value >= lowest && value <= highest) return absl::OkStatus();
  return Invalid(what, " = ", value, " is not between ", lowest, " and ",
                 highest);
}

absl::Status CheckFinite(absl::string_view what, double value) {
  if (std::isfinite(static_cast<float>(value))) return absl::OkStatus();
  return Invalid(what, " = ", value, " is no finite number");
}

absl::Status CheckExtent(absl::string_view what, const Extent2d& extent) {
  RETURN_IF_ERROR(
      CheckRange(absl::StrCat(what, ".h"), extent.h, 1, kMaxAttribute));
  return CheckRange(absl::StrCat(what, ".w"), extent.w, 1, kMaxAttribute);
}

absl::Status CheckPadding(const Padding2d& padding, const Extent2d& highest) {
  RETURN_IF_ERROR(CheckRange("padding.top", padding.top, 0, highest.h));
  RETURN_IF_ERROR(CheckRange("padding.left", padding.left, 0, highest.w));
  RETURN_IF_ERROR(CheckRange("padding.bottom", padding.bottom, 0, highest.h));
  return CheckRange("padding.right", padding.right, 0, highest.w);
}

absl::Status CheckRank(absl::string_view role, const Shape& shape,
                       size_t rank) {
  if (shape.size() == rank) return absl::OkStatus();
  return Invalid(role, " must have ", rank, " dimensions, not ", shape.size());
}

absl::StatusOr<int64_t> CountWindows(absl::string_view dimension,
                                     int64_t extent, int64_t padding,
                                     int64_t window, int64_t stride) {
  if (window > extent + padding) {
    return Invalid("a window of ", window, " does not fit dimension ",
                   dimension, " of extent ", extent, " and padding ", padding);
  }
  return (extent + padding - window) / stride + 1;
}

absl::StatusOr<Shape> WindowedShape(const Shape& input, const Extent2d& window,
                                    const Extent2d& stride,
                                    const Padding2d& padding,
                                    int64_t channels) {
  ASSIGN_OR_RETURN(const int64_t height,
                   CountWindows("H", input[1], padding.top + padding.bottom,
                                window.h, stride.h));
  ASSIGN_OR_RETURN(const int64_t width,
                   CountWindows("W", input[2], padding.left + padding.right,
                                window.w, stride.w));
  return Shape{input[0], height, width, channels};
}

absl::Status CheckChannels(absl::string_view role, const Shape& parameter,
                           const Shape& input) {
  if (input.empty()) return Invalid("input must have a channel dimension");
  if (parameter == Shape{input.back()}) return absl::OkStatus();
  return Invalid(role, " must have shape ", ShapeText({input.back()}), ", not ",
                 ShapeText(parameter));
}

}  // namespace pruner
