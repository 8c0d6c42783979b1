#include "models/operators/leaky_relu.h"

#include "Halide.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"

namespace pruner {

double LeakyRelu::At(double value) const {
  return value > 0 ? value : alpha * value;
}

Halide::Expr LeakyRelu::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return Halide::select(x > 0.0f, x, x * FloatExpr(alpha));
}

}  // namespace pruner
