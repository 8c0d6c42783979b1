// What operators ask of the shapes of their inputs and of their attributes,
// with sentences for what does not fit.
#ifndef MODELS_OPERATORS_SHAPE_CHECKS_H_
#define MODELS_OPERATORS_SHAPE_CHECKS_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// Attributes beyond this make no sense and would let sums of them overflow.
inline constexpr int64_t kMaxAttribute = int64_t{1} << 30;

template <typename... Parts>
absl::Status Invalid(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

absl::Status CheckRange(absl::string_view what, int64_t value, int64_t lowest,
                        int64_t highest);
// Kernels have no infinities: Halide lets LLVM assume that there are none.
absl::Status CheckFinite(absl::string_view what, double value);
absl::Status CheckExtent(absl::string_view what, const Extent2d& extent);
absl::Status CheckPadding(const Padding2d& padding, const Extent2d& highest);
absl::Status CheckRank(absl::string_view role, const Shape& shape, size_t rank);

// A parameter with one element per channel.
absl::Status CheckChannels(absl::string_view role, const Shape& parameter,
                           const Shape& input);

// How many windows of `window` elements fit at distance `stride`.
absl::StatusOr<int64_t> CountWindows(absl::string_view dimension,
                                     int64_t extent, int64_t padding,
                                     int64_t window, int64_t stride);

// Of windows on {N, H, W, C}: {N, how many fit, how many fit, channels}.
absl::StatusOr<Shape> WindowedShape(const Shape& input, const Extent2d& window,
                                    const Extent2d& stride,
                                    const Padding2d& padding, int64_t channels);

}  // namespace pruner

#endif  // MODELS_OPERATORS_SHAPE_CHECKS_H_
