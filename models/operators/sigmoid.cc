#include "models/operators/sigmoid.h"

#include <cmath>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/unary.h"

namespace pruner {

absl::StatusOr<Shape> Sigmoid::InferShape(Shapes inputs) const {
  return inputs[0];
}

double Sigmoid::CountFlops(Shapes, const Shape& output) const {
  return 4 * NumElementsAsDouble(output);
}

void Sigmoid::Evaluate(Arrays inputs, int, Array& output) const {
  ForElements(*inputs[0], output,
              [](double value) { return 1 / (1 + std::exp(-value)); });
}

Halide::Expr Sigmoid::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return 1.0f / (1.0f + Halide::exp(-x));
}

}  // namespace pruner
