// Interpolation to other extents.
#ifndef MODELS_OPERATORS_RESIZE_H_
#define MODELS_OPERATORS_RESIZE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// ONNX's Resize without antialiasing. `sizes` and `scales` have a number for
// each dimension: the output's extent, and how many elements of the output
// there are to one of the input, which is what positions are computed with.
// Element i of the output is at a position of the input that `coordinates`
// says, where "out" and "in" are extents:
//
//   "half_pixel"            (i + 0.5) / scale - 0.5
//   "half_pixel_symmetric"  that + in / 2 * (1 - out / (scale * in))
//   "pytorch_half_pixel"    as half_pixel, but 0 if out is 1
//   "align_corners"         i * (in - 1) / (out - 1), but 0 if out is 1
//   "asymmetric"            i / scale
//   "tf_crop_and_resize"    (start + i * (end - start) / (out - 1)) * (in - 1),
//                           but 0.5 * (start + end) * (in - 1) if out is 1;
//                           `extrapolation_value` if that is outside the input
//
// Starts and ends are `roi`, all starts first, which is empty otherwise. A
// position counts in steps of 2^-24, lest what it is rounded to depends on the
// last digit of a quotient. The mode is "nearest", with `nearest_mode`
// "round_prefer_floor", "round_prefer_ceil", "floor" or "ceil"; "linear"; or
// "cubic", by the polynomials of Keys with the coefficient `cubic_coeff_a`.
// Elements outside are the nearest inside, or have no part in it if
// `exclude_outside`. float32.
struct Resize {
  static constexpr OperatorKind kKind{"Resize",
                                      "resize",
                                      {"input"},
                                      OperatorClass::kAnchor,
                                      /*has_channel_loops=*/true};
  std::string mode = "nearest";
  std::vector<int64_t> sizes{};
  std::vector<double> scales{};
  std::string coordinates = "half_pixel";
  std::vector<double> roi{};
  double extrapolation_value = 0;
  std::string nearest_mode = "round_prefer_floor";
  double cubic_coeff_a = -0.75;
  bool exclude_outside = false;
  bool operator==(const Resize&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("mode", self.mode);
    visitor("sizes", self.sizes);
    visitor("scales", self.scales);
    visitor("coordinates", self.coordinates);
    visitor("roi", self.roi);
    visitor("extrapolation_value", self.extrapolation_value);
    visitor("nearest_mode", self.nearest_mode);
    visitor("cubic_coeff_a", self.cubic_coeff_a);
    visitor("exclude_outside", self.exclude_outside);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
  std::string TaskAttributes(Shapes inputs) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_RESIZE_H_
