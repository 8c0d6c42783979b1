// The hyperbolic tangent.
#ifndef MODELS_OPERATORS_TANH_H_
#define MODELS_OPERATORS_TANH_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// tanh(input).
struct Tanh {
  static constexpr OperatorKind kKind{
      "Tanh", "tanh", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Tanh&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_TANH_H_
