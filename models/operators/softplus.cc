#include "models/operators/softplus.h"

#include <algorithm>
#include <cmath>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/unary.h"

namespace pruner {

absl::StatusOr<Shape> Softplus::InferShape(Shapes inputs) const {
  return inputs[0];
}

double Softplus::CountFlops(Shapes, const Shape& output) const {
  return 5 * NumElementsAsDouble(output);
}

void Softplus::Evaluate(Arrays inputs, int, Array& output) const {
  ForElements(*inputs[0], output, [](double value) {
    return std::max(value, 0.0) + std::log1p(std::exp(-std::abs(value)));
  });
}

Halide::Expr Softplus::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  // So that the exponential does not overflow.
  return Halide::max(x, 0.0f) +
         Halide::log(1.0f + Halide::exp(-Halide::abs(x)));
}

}  // namespace pruner
