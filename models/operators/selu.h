// Exponential linear units with scales.
#ifndef MODELS_OPERATORS_SELU_H_
#define MODELS_OPERATORS_SELU_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// gamma * input where it is positive, gamma * alpha * (exp(input) - 1)
// elsewhere (Klambauer et al. 2017, whose alpha and gamma are the defaults).
struct Selu {
  static constexpr OperatorKind kKind{
      "Selu", "selu", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 5;
  double alpha = 1.67326319217681884765625;
  double gamma = 1.05070102214813232421875;
  bool operator==(const Selu&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("alpha", self.alpha);
    visitor("gamma", self.gamma);
  }
  absl::Status CheckAttributes() const;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// input where it is positive, alpha * (exp(input / alpha) - 1) elsewhere
// (Barron 2017).
struct Celu {
  static constexpr OperatorKind kKind{
      "Celu", "celu", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 5;
  double alpha = 1;
  bool operator==(const Celu&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("alpha", self.alpha);
  }
  absl::Status CheckAttributes() const;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_SELU_H_
