// Mish.
#ifndef MODELS_OPERATORS_MISH_H_
#define MODELS_OPERATORS_MISH_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// input * tanh(log(1 + exp(input))) (Misra 2019).
struct Mish {
  static constexpr OperatorKind kKind{
      "Mish", "mish", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 7;
  bool operator==(const Mish&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_MISH_H_
