#include "models/operators/leaky_relu.h"

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/unary.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<Shape> LeakyRelu::InferShape(Shapes inputs) const {
  RETURN_IF_ERROR(CheckFinite("alpha", alpha));
  return inputs[0];
}

double LeakyRelu::CountFlops(Shapes, const Shape& output) const {
  return 2 * NumElementsAsDouble(output);
}

void LeakyRelu::Evaluate(Arrays inputs, int, Array& output) const {
  ForElements(*inputs[0], output, [this](double value) {
    return value > 0 ? value : alpha * value;
  });
}

Halide::Expr LeakyRelu::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return Halide::select(x > 0.0f, x, x * FloatExpr(alpha));
}

}  // namespace pruner
