// A bias per channel.
#ifndef MODELS_OPERATORS_BIAS_ADD_H_
#define MODELS_OPERATORS_BIAS_ADD_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// input {..., C} + bias {C}.
struct BiasAdd {
  static constexpr OperatorKind kKind{
      "BiasAdd", "bias", {"input", "bias"}, OperatorClass::kElementwise};
  bool operator==(const BiasAdd&) const = default;
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_BIAS_ADD_H_
