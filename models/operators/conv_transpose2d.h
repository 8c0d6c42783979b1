// Transposed convolutions of images.
#ifndef MODELS_OPERATORS_CONV_TRANSPOSE2D_H_
#define MODELS_OPERATORS_CONV_TRANSPOSE2D_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// Every element of the input adds its multiple of the kernel to the output:
// out[n, y * stride.h + ky * dilation.h - padding.top,
//        x * stride.w + kx * dilation.w - padding.left, o] +=
//   input[n, y, x, g * ci / groups + c] * weights[ky, kx, c, o]
// where g = o / (co / groups); what falls outside the output is dropped.
// input {N, H, W, ci}, weights {kernel h, kernel w, ci / groups, co}, as those
// of a Conv2d; the output's height is (H - 1) * stride.h + (kernel h - 1) *
// dilation.h + 1 + output_padding.h - padding.top - padding.bottom, its width
// likewise.
//
// Emission gathers. An output element reads those taps of the kernel whose
// distance from it the stride divides. Without dilation these are every
// stride-th, and the reduction is over them alone, kernel / stride rounded up;
// with both stride and dilation it is over all, most of which add zero.
struct ConvTranspose2d {
  static constexpr OperatorKind kKind{"ConvTranspose2d",
                                      "conv_transpose2d",
                                      {"input", "weights"},
                                      OperatorClass::kAnchor,
                                      /*has_channel_loops=*/true};
  Extent2d stride{};
  Padding2d padding{};
  Extent2d dilation{};
  int64_t groups = 1;
  Extent2d output_padding{.h = 0, .w = 0};
  bool operator==(const ConvTranspose2d&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("stride", self.stride);
    visitor("padding", self.padding);
    visitor("dilation", self.dilation);
    visitor("groups", self.groups);
    visitor("output_padding", self.output_padding);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
  std::string TaskAttributes(Shapes inputs) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_CONV_TRANSPOSE2D_H_
