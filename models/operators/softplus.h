// Rectified linear units without a corner.
#ifndef MODELS_OPERATORS_SOFTPLUS_H_
#define MODELS_OPERATORS_SOFTPLUS_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// log(1 + exp(input)).
struct Softplus {
  static constexpr OperatorKind kKind{
      "Softplus", "softplus", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 5;
  bool operator==(const Softplus&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_SOFTPLUS_H_
