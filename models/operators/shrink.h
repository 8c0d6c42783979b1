// Functions that are 0 below a threshold.
#ifndef MODELS_OPERATORS_SHRINK_H_
#define MODELS_OPERATORS_SHRINK_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// input where it is more than alpha, 0 elsewhere.
struct ThresholdedRelu {
  static constexpr OperatorKind kKind{"ThresholdedRelu",
                                      "thresholded_relu",
                                      {"input"},
                                      OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  double alpha = 1;
  bool operator==(const ThresholdedRelu&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("alpha", self.alpha);
  }
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// input + bias where input < -lambd, input - bias where input > lambd, 0
// elsewhere, as ONNX has it.
struct Shrink {
  static constexpr OperatorKind kKind{
      "Shrink", "shrink", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 3;
  double bias = 0;
  double lambd = 0.5;
  bool operator==(const Shrink&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("bias", self.bias);
    visitor("lambd", self.lambd);
  }
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_SHRINK_H_
