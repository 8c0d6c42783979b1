// Rectified linear units that leak.
#ifndef MODELS_OPERATORS_LEAKY_RELU_H_
#define MODELS_OPERATORS_LEAKY_RELU_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// input where it is positive, alpha * input elsewhere.
struct LeakyRelu {
  static constexpr OperatorKind kKind{
      "LeakyRelu", "leaky_relu", {"input"}, OperatorClass::kElementwise};
  double alpha = 0.01;

  bool operator==(const LeakyRelu&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("alpha", self.alpha);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_LEAKY_RELU_H_
