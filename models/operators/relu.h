// Rectified linear units.
#ifndef MODELS_OPERATORS_RELU_H_
#define MODELS_OPERATORS_RELU_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// max(input, 0).
struct Relu {
  static constexpr OperatorKind kKind{
      "Relu", "relu", {"input"}, OperatorClass::kElementwise};

  bool operator==(const Relu&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self&, Visitor&&) {}
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// min(max(input, 0), 6).
struct Relu6 {
  static constexpr OperatorKind kKind{
      "Relu6", "relu6", {"input"}, OperatorClass::kElementwise};

  bool operator==(const Relu6&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self&, Visitor&&) {}
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_RELU_H_
