// Swish in straight lines.
#ifndef MODELS_OPERATORS_HARD_SWISH_H_
#define MODELS_OPERATORS_HARD_SWISH_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// input * min(max(input / 6 + 1 / 2, 0), 1) (Howard et al. 2019).
struct HardSwish {
  static constexpr OperatorKind kKind{
      "HardSwish", "hard_swish", {"input"}, OperatorClass::kElementwise};

  bool operator==(const HardSwish&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self&, Visitor&&) {}
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_HARD_SWISH_H_
