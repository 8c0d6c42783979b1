// The logistic function in three straight lines.
#ifndef MODELS_OPERATORS_HARD_SIGMOID_H_
#define MODELS_OPERATORS_HARD_SIGMOID_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// min(max(alpha * input + beta, 0), 1), as ONNX has it.
struct HardSigmoid {
  static constexpr OperatorKind kKind{
      "HardSigmoid", "hard_sigmoid", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 4;
  double alpha = 0.2;
  double beta = 0.5;
  bool operator==(const HardSigmoid&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("alpha", self.alpha);
    visitor("beta", self.beta);
  }
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_HARD_SIGMOID_H_
