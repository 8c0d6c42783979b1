// Rectified linear units that leak.
#ifndef MODELS_OPERATORS_LEAKY_RELU_H_
#define MODELS_OPERATORS_LEAKY_RELU_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// input where it is positive, alpha * input elsewhere.
struct LeakyRelu {
  static constexpr OperatorKind kKind{
      "LeakyRelu", "leaky_relu", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 2;
  double alpha = 0.01;
  bool operator==(const LeakyRelu&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("alpha", self.alpha);
  }
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_LEAKY_RELU_H_
