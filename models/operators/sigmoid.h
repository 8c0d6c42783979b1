// The logistic function.
#ifndef MODELS_OPERATORS_SIGMOID_H_
#define MODELS_OPERATORS_SIGMOID_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// 1 / (1 + exp(-input)).
struct Sigmoid {
  static constexpr OperatorKind kKind{
      "Sigmoid", "sigmoid", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 4;
  bool operator==(const Sigmoid&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_SIGMOID_H_
