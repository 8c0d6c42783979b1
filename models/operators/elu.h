// Exponential linear units.
#ifndef MODELS_OPERATORS_ELU_H_
#define MODELS_OPERATORS_ELU_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// input where it is positive, alpha * (exp(input) - 1) elsewhere
// (Clevert et al. 2016).
struct Elu {
  static constexpr OperatorKind kKind{
      "Elu", "elu", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 4;
  double alpha = 1;
  bool operator==(const Elu&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("alpha", self.alpha);
  }
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_ELU_H_
