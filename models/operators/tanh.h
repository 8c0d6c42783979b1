// The hyperbolic tangent.
#ifndef MODELS_OPERATORS_TANH_H_
#define MODELS_OPERATORS_TANH_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// tanh(input).
struct Tanh {
  static constexpr OperatorKind kKind{
      "Tanh", "tanh", {"input"}, OperatorClass::kElementwise};

  bool operator==(const Tanh&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self&, Visitor&&) {}
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_TANH_H_
