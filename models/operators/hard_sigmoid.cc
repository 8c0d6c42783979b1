#include "models/operators/hard_sigmoid.h"

#include <algorithm>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/unary.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<Shape> HardSigmoid::InferShape(Shapes inputs) const {
  RETURN_IF_ERROR(CheckFinite("alpha", alpha));
  RETURN_IF_ERROR(CheckFinite("beta", beta));
  return inputs[0];
}

double HardSigmoid::CountFlops(Shapes, const Shape& output) const {
  return 4 * NumElementsAsDouble(output);
}

void HardSigmoid::Evaluate(Arrays inputs, int, Array& output) const {
  ForElements(*inputs[0], output, [this](double value) {
    return std::clamp(alpha * value + beta, 0.0, 1.0);
  });
}

Halide::Expr HardSigmoid::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return Halide::clamp(x * FloatExpr(alpha) + FloatExpr(beta), 0.0f, 1.0f);
}

}  // namespace pruner
