#include "models/graph/operator_shapes.h"

#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Shapes = absl::Span<const Shape>;

// Attributes beyond this make no sense and would let sums of them overflow.
constexpr int64_t kMaxAttribute = int64_t{1} << 30;

template <typename... Parts>
absl::Status Invalid(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

absl::Status CheckRange(absl::string_view what, int64_t value, int64_t lowest,
                        int64_t highest) {
  if (value >= lowest && value <= highest) return absl::OkStatus();
  return Invalid(what, " = ", value, " is not between ", lowest, " and ",
                 highest);
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

// How many windows of `window` elements fit at distance `stride`.
absl::StatusOr<int64_t> Windows(absl::string_view dimension, int64_t extent,
                                int64_t padding, int64_t window,
                                int64_t stride) {
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
  ASSIGN_OR_RETURN(
      const int64_t height,
      Windows("H", input[1], padding.top + padding.bottom, window.h, stride.h));
  ASSIGN_OR_RETURN(
      const int64_t width,
      Windows("W", input[2], padding.left + padding.right, window.w, stride.w));
  return Shape{input[0], height, width, channels};
}

// A parameter with one element per channel.
absl::Status CheckChannels(absl::string_view role, const Shape& parameter,
                           const Shape& input) {
  if (input.empty()) return Invalid("input must have a channel dimension");
  if (parameter == Shape{input.back()}) return absl::OkStatus();
  return Invalid(role, " must have shape ", ShapeText({input.back()}), ", not ",
                 ShapeText(parameter));
}

absl::StatusOr<Shape> Infer(const Conv2d& op, Shapes inputs) {
  const Shape& input = inputs[0];
  const Shape& weights = inputs[1];
  RETURN_IF_ERROR(CheckRank("input", input, 4));
  RETURN_IF_ERROR(CheckRank("weights", weights, 4));
  RETURN_IF_ERROR(CheckExtent("stride", op.stride));
  RETURN_IF_ERROR(CheckExtent("dilation", op.dilation));
  RETURN_IF_ERROR(CheckPadding(op.padding, {kMaxAttribute, kMaxAttribute}));
  RETURN_IF_ERROR(CheckRange("groups", op.groups, 1, kMaxAttribute));
  if (input[3] != weights[2] * op.groups) {
    return Invalid("input has ", input[3], " channels, weights expect ",
                   weights[2], " in each of ", op.groups, " groups");
  }
  if (weights[3] % op.groups != 0) {
    return Invalid("weights give ", weights[3], " channels, which ", op.groups,
                   " groups do not divide");
  }
  RETURN_IF_ERROR(CheckRange("kernel.h", weights[0], 1, kMaxAttribute));
  RETURN_IF_ERROR(CheckRange("kernel.w", weights[1], 1, kMaxAttribute));
  const Extent2d window{(weights[0] - 1) * op.dilation.h + 1,
                        (weights[1] - 1) * op.dilation.w + 1};
  return WindowedShape(input, window, op.stride, op.padding, weights[3]);
}

absl::StatusOr<Shape> Infer(const Dense&, Shapes inputs) {
  const Shape& input = inputs[0];
  const Shape& weights = inputs[1];
  if (input.size() < 2) return Invalid("input must have at least 2 dimensions");
  RETURN_IF_ERROR(CheckRank("weights", weights, 2));
  if (input.back() != weights[0]) {
    return Invalid("input's innermost extent ", input.back(),
                   " differs from weights' first extent ", weights[0]);
  }
  Shape output = input;
  output.back() = weights[1];
  return output;
}

absl::StatusOr<Shape> Infer(const BatchNorm& op, Shapes inputs) {
  for (size_t i = 1; i < inputs.size(); ++i) {
    RETURN_IF_ERROR(CheckChannels(op.kKind.roles[i], inputs[i], inputs[0]));
  }
  if (!std::isfinite(op.epsilon) || op.epsilon < 0) {
    return Invalid("epsilon = ", op.epsilon, " is not a number of at least 0");
  }
  return inputs[0];
}

absl::StatusOr<Shape> Infer(const BiasAdd&, Shapes inputs) {
  RETURN_IF_ERROR(CheckChannels("bias", inputs[1], inputs[0]));
  return inputs[0];
}

absl::StatusOr<Shape> Infer(const Relu&, Shapes inputs) { return inputs[0]; }

absl::StatusOr<Shape> Infer(const Relu6&, Shapes inputs) { return inputs[0]; }

absl::StatusOr<Shape> Infer(const Add&, Shapes inputs) {
  if (inputs[0] != inputs[1])
    return Invalid("left and right must have one shape");
  return inputs[0];
}

template <typename Pool>
absl::StatusOr<Shape> InferPool(const Pool& op, const Shape& input) {
  RETURN_IF_ERROR(CheckRank("input", input, 4));
  RETURN_IF_ERROR(CheckExtent("kernel", op.kernel));
  RETURN_IF_ERROR(CheckExtent("stride", op.stride));
  RETURN_IF_ERROR(CheckPadding(op.padding, {op.kernel.h - 1, op.kernel.w - 1}));
  return WindowedShape(input, op.kernel, op.stride, op.padding, input[3]);
}

absl::StatusOr<Shape> Infer(const MaxPool2d& op, Shapes inputs) {
  return InferPool(op, inputs[0]);
}

absl::StatusOr<Shape> Infer(const AvgPool2d& op, Shapes inputs) {
  return InferPool(op, inputs[0]);
}

absl::StatusOr<Shape> Infer(const GlobalAvgPool&, Shapes inputs) {
  RETURN_IF_ERROR(CheckRank("input", inputs[0], 4));
  return Shape{inputs[0][0], 1, 1, inputs[0][3]};
}

absl::StatusOr<Shape> Infer(const Reshape& op, Shapes inputs) {
  RETURN_IF_ERROR(CheckShape(op.shape));
  if (NumElements(op.shape) != NumElements(inputs[0])) {
    return Invalid("shape ", ShapeText(op.shape), " has ",
                   NumElements(op.shape), " elements, the input has ",
                   NumElements(inputs[0]));
  }
  return op.shape;
}

absl::StatusOr<Shape> Infer(const Softmax& op, Shapes inputs) {
  const auto rank = static_cast<int64_t>(inputs[0].size());
  if (rank == 0) return Invalid("input must have at least 1 dimension");
  RETURN_IF_ERROR(CheckRange("axis", op.axis, 0, rank - 1));
  return inputs[0];
}

absl::StatusOr<Shape> Infer(const Identity&, Shapes inputs) {
  return inputs[0];
}

}  // namespace

absl::StatusOr<Shape> InferShape(const Operator& op,
                                 absl::Span<const Shape> inputs) {
  const int arity = KindOf(op).arity();
  if (static_cast<int>(inputs.size()) != arity) {
    return Invalid("takes ", arity, " inputs, not ", inputs.size());
  }
  ASSIGN_OR_RETURN(
      Shape output,
      std::visit([&](const auto& kind) { return Infer(kind, inputs); }, op));
  RETURN_IF_ERROR(CheckShape(output));
  return output;
}

}  // namespace pruner
