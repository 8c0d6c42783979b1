// Convolutions of images.
#ifndef MODELS_OPERATORS_CONV2D_H_
#define MODELS_OPERATORS_CONV2D_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// out[n, y, x, o] = sum over ky, kx, c of
//   input[n, y * stride.h + ky * dilation.h - padding.top,
//            x * stride.w + kx * dilation.w - padding.left, g * ci / groups +
//            c]
//   * weights[ky, kx, c, o]
// where g = o / (co / groups) and elements outside the input are zero.
// input {N, H, W, ci}, or {N, ci, H, W} if `channels_first`; weights {kernel h,
// kernel w, ci / groups, co}.
struct Conv2d {
  static constexpr OperatorKind kKind{"Conv2d",
                                      "conv2d",
                                      {"input", "weights"},
                                      OperatorClass::kAnchor,
                                      /*has_channel_loops=*/true};
  Extent2d stride{};
  Padding2d padding{};
  Extent2d dilation{};
  int64_t groups = 1;
  bool channels_first = false;
  bool operator==(const Conv2d&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stride", self.stride);
    visitor("padding", self.padding);
    visitor("dilation", self.dilation);
    visitor("groups", self.groups);
    visitor("channels_first", self.channels_first);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
  std::string TaskAttributes(Shapes inputs) const;

  // {N, H, W, ci} of the input's shape.
  Shape ImageShape(const Shape& input) const;
  // The input, read as {N, H, W, ci}.
  TensorParameter Image(AnchorEmitter& emitter) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_CONV2D_H_
