// Rectified linear units.
#ifndef MODELS_OPERATORS_RELU_H_
#define MODELS_OPERATORS_RELU_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// max(input, 0).
struct Relu {
  static constexpr OperatorKind kKind{
      "Relu", "relu", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Relu&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// min(max(input, 0), 6).
struct Relu6 {
  static constexpr OperatorKind kKind{
      "Relu6", "relu6", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 2;
  bool operator==(const Relu6&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_RELU_H_
