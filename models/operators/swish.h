// Swish with a parameter.
#ifndef MODELS_OPERATORS_SWISH_H_
#define MODELS_OPERATORS_SWISH_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// input / (1 + exp(-alpha * input)) (Ramachandran et al. 2017); Silu has alpha
// = 1.
struct Swish {
  static constexpr OperatorKind kKind{
      "Swish", "swish", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 5;
  double alpha = 1;
  bool operator==(const Swish&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("alpha", self.alpha);
  }
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_SWISH_H_
