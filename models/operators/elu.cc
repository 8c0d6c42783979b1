#include "models/operators/elu.h"

#include <cmath>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/unary.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<Shape> Elu::InferShape(Shapes inputs) const {
  RETURN_IF_ERROR(CheckFinite("alpha", alpha));
  return inputs[0];
}

double Elu::CountFlops(Shapes, const Shape& output) const {
  return 4 * NumElementsAsDouble(output);
}

void Elu::Evaluate(Arrays inputs, int, Array& output) const {
  ForElements(*inputs[0], output, [this](double value) {
    return value > 0 ? value : alpha * std::expm1(value);
  });
}

Halide::Expr Elu::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return Halide::select(x > 0.0f, x,
                        (Halide::exp(x) - 1.0f) * FloatExpr(alpha));
}

}  // namespace pruner
