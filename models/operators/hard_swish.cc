#include "models/operators/hard_swish.h"

#include <algorithm>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/unary.h"

namespace pruner {

absl::StatusOr<Shape> HardSwish::InferShape(Shapes inputs) const {
  return inputs[0];
}

double HardSwish::CountFlops(Shapes, const Shape& output) const {
  return 5 * NumElementsAsDouble(output);
}

void HardSwish::Evaluate(Arrays inputs, int, Array& output) const {
  ForElements(*inputs[0], output, [](double value) {
    return value * std::clamp(value / 6 + 0.5, 0.0, 1.0);
  });
}

Halide::Expr HardSwish::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return x * Halide::clamp(x * FloatExpr(1.0 / 6) + 0.5f, 0.0f, 1.0f);
}

}  // namespace pruner
