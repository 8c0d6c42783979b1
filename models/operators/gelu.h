// Gaussian error linear units.
#ifndef MODELS_OPERATORS_GELU_H_
#define MODELS_OPERATORS_GELU_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// input * P(X <= input), X normally distributed: input / 2 * (1 + erf(input /
// sqrt(2))) (Hendrycks and Gimpel 2016).
struct Gelu {
  static constexpr OperatorKind kKind{
      "Gelu", "gelu", {"input"}, OperatorClass::kElementwise};

  bool operator==(const Gelu&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self&, Visitor&&) {}
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_GELU_H_
