// Sums.
#ifndef MODELS_OPERATORS_ADD_H_
#define MODELS_OPERATORS_ADD_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// Of two tensors of one shape.
struct Add {
  static constexpr OperatorKind kKind{
      "Add", "add", {"left", "right"}, OperatorClass::kElementwise};
  bool operator==(const Add&) const = default;
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_ADD_H_
