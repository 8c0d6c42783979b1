// Sigmoid-weighted linear units.
#ifndef MODELS_OPERATORS_SILU_H_
#define MODELS_OPERATORS_SILU_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// input / (1 + exp(-input)), also called swish (Elfwing et al. 2018).
struct Silu {
  static constexpr OperatorKind kKind{
      "Silu", "silu", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 4;
  bool operator==(const Silu&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_SILU_H_
