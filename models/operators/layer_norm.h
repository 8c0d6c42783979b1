// Normalization of the innermost dimensions.
#ifndef MODELS_OPERATORS_LAYER_NORM_H_
#define MODELS_OPERATORS_LAYER_NORM_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// Elements that are normalized together.
inline int64_t LineLength(const Shape& input, int64_t axis) {
  return NumElements({input.data() + axis, input.size() - axis});
}

// All of these normalize over dimensions axis, ..., rank - 1, 0 <= axis < rank,
// and mean is over these. Parameters have the shape of these dimensions.

// (input - mean) / sqrt(mean of (input - mean)^2 + epsilon) * scale + bias.
// Ba et al., Layer Normalization (2016), section 3.
struct LayerNorm {
  static constexpr OperatorKind kKind{"LayerNorm",
                                      "layer_norm",
                                      {"input", "scale", "bias"},
                                      OperatorClass::kAnchor};
  int64_t axis = 0;
  double epsilon = 1e-5;
  bool operator==(const LayerNorm&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("axis", self.axis);
    visitor("epsilon", self.epsilon);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  int64_t SumLength(Shapes inputs) const { return LineLength(inputs[0], axis); }
  Emitted Emit(AnchorEmitter& emitter) const;
};

// input / sqrt(mean of input^2 + epsilon) * scale. Zhang and Sennrich, Root
// Mean Square Layer Normalization (2019), section 3.
struct RmsNorm {
  static constexpr OperatorKind kKind{
      "RmsNorm", "rms_norm", {"input", "scale"}, OperatorClass::kAnchor};
  int64_t axis = 0;
  double epsilon = 1e-5;
  bool operator==(const RmsNorm&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("axis", self.axis);
    visitor("epsilon", self.epsilon);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  int64_t SumLength(Shapes inputs) const { return LineLength(inputs[0], axis); }
  Emitted Emit(AnchorEmitter& emitter) const;
};

// A LayerNorm without parameters: what normalizations of instances and of
// groups of channels are made of.
struct Normalize {
  static constexpr OperatorKind kKind{
      "Normalize", "normalize", {"input"}, OperatorClass::kAnchor};
  int64_t axis = 0;
  double epsilon = 1e-5;
  bool operator==(const Normalize&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("axis", self.axis);
    visitor("epsilon", self.epsilon);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  int64_t SumLength(Shapes inputs) const { return LineLength(inputs[0], axis); }
  Emitted Emit(AnchorEmitter& emitter) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_LAYER_NORM_H_
