#include "models/operators/tanh.h"

#include <cmath>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/unary.h"

namespace pruner {

absl::StatusOr<Shape> Tanh::InferShape(Shapes inputs) const {
  return inputs[0];
}

double Tanh::CountFlops(Shapes, const Shape& output) const {
  return NumElementsAsDouble(output);
}

void Tanh::Evaluate(Arrays inputs, int, Array& output) const {
  ForElements(*inputs[0], output,
              [](double value) { return std::tanh(value); });
}

Halide::Expr Tanh::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return Halide::tanh(x);
}

}  // namespace pruner
