// Normalization by statistics that were learned.
#ifndef MODELS_OPERATORS_BATCH_NORM_H_
#define MODELS_OPERATORS_BATCH_NORM_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// (input - mean) / sqrt(variance + epsilon) * scale + shift, per element of the
// innermost dimension; input {..., C}, the others {C}.
struct BatchNorm {
  static constexpr OperatorKind kKind{
      "BatchNorm",
      "norm",
      {"input", "scale", "shift", "mean", "variance"},
      OperatorClass::kElementwise};
  double epsilon = 1e-5;
  bool operator==(const BatchNorm&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("epsilon", self.epsilon);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_BATCH_NORM_H_
