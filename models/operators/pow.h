// Powers.
#ifndef MODELS_OPERATORS_POW_H_
#define MODELS_OPERATORS_POW_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// base to the power of exponent. Where base is negative, exponent is whole.
struct Pow {
  static constexpr OperatorKind kKind{
      "Pow", "pow", {"base", "exponent"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Pow&) const = default;
  double At(double base, double exponent) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_POW_H_
