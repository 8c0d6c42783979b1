#include "models/operators/gelu.h"

#include <cmath>
#include <numbers>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/unary.h"

namespace pruner {

absl::StatusOr<Shape> Gelu::InferShape(Shapes inputs) const {
  return inputs[0];
}

double Gelu::CountFlops(Shapes, const Shape& output) const {
  return 4 * NumElementsAsDouble(output);
}

void Gelu::Evaluate(Arrays inputs, int, Array& output) const {
  ForElements(*inputs[0], output, [](double value) {
    return value / 2 * (1 + std::erf(value * std::numbers::sqrt2 / 2));
  });
}

Halide::Expr Gelu::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return x * 0.5f *
         (1.0f + Halide::erf(x * FloatExpr(std::numbers::sqrt2 / 2)));
}

}  // namespace pruner
