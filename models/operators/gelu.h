// Gaussian error linear units.
#ifndef MODELS_OPERATORS_GELU_H_
#define MODELS_OPERATORS_GELU_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// input * P(X <= input), X normally distributed: input / 2 * (1 + erf(input /
// sqrt(2))) (Hendrycks and Gimpel 2016).
struct Gelu {
  static constexpr OperatorKind kKind{
      "Gelu", "gelu", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 4;
  bool operator==(const Gelu&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_GELU_H_
