#include "models/operators/clip.h"

#include <algorithm>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "models/operators/unary.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<Shape> Clip::InferShape(Shapes inputs) const {
  RETURN_IF_ERROR(CheckFinite("low", low));
  RETURN_IF_ERROR(CheckFinite("high", high));
  if (low > high) return Invalid("low = ", low, " is more than high = ", high);
  return inputs[0];
}

double Clip::CountFlops(Shapes, const Shape& output) const {
  return 2 * NumElementsAsDouble(output);
}

void Clip::Evaluate(Arrays inputs, int, Array& output) const {
  ForElements(*inputs[0], output,
              [this](double value) { return std::clamp(value, low, high); });
}

Halide::Expr Clip::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return Halide::clamp(x, FloatExpr(low), FloatExpr(high));
}

}  // namespace pruner
