// The logistic function in three straight lines.
#ifndef MODELS_OPERATORS_HARD_SIGMOID_H_
#define MODELS_OPERATORS_HARD_SIGMOID_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// min(max(alpha * input + beta, 0), 1), as ONNX has it.
struct HardSigmoid {
  static constexpr OperatorKind kKind{
      "HardSigmoid", "hard_sigmoid", {"input"}, OperatorClass::kElementwise};
  double alpha = 0.2;
  double beta = 0.5;

  bool operator==(const HardSigmoid&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("alpha", self.alpha);
    visitor("beta", self.beta);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_HARD_SIGMOID_H_
