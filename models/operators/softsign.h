// Softsign.
#ifndef MODELS_OPERATORS_SOFTSIGN_H_
#define MODELS_OPERATORS_SOFTSIGN_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// input / (1 + |input|).
struct Softsign {
  static constexpr OperatorKind kKind{
      "Softsign", "softsign", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 3;
  bool operator==(const Softsign&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_SOFTSIGN_H_
