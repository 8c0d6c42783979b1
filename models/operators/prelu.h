// Rectified linear units that leak as much as a parameter says.
#ifndef MODELS_OPERATORS_PRELU_H_
#define MODELS_OPERATORS_PRELU_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// input where it is at least 0, slope * input elsewhere (He et al. 2015).
struct PRelu {
  static constexpr OperatorKind kKind{
      "PRelu", "prelu", {"input", "slope"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 2;
  bool operator==(const PRelu&) const = default;
  double At(double value, double slope) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_PRELU_H_
