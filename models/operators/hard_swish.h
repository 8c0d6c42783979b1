// Swish in straight lines.
#ifndef MODELS_OPERATORS_HARD_SWISH_H_
#define MODELS_OPERATORS_HARD_SWISH_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// input * min(max(input / 6 + 1 / 2, 0), 1) (Howard et al. 2019).
struct HardSwish {
  static constexpr OperatorKind kKind{
      "HardSwish", "hard_swish", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 5;
  bool operator==(const HardSwish&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_HARD_SWISH_H_
