#include "models/operators/shrink.h"

#include "Halide.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"

namespace pruner {

double ThresholdedRelu::At(double value) const {
  return value > alpha ? value : 0;
}

Halide::Expr ThresholdedRelu::Emit(
    absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return Halide::select(x > FloatExpr(alpha), x, 0.0f);
}

double Shrink::At(double value) const {
  return value < -lambd ? value + bias : value > lambd ? value - bias : 0;
}

Halide::Expr Shrink::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  const Halide::Expr offset = FloatExpr(bias);
  return Halide::select(x<FloatExpr(-lambd), x + offset, x> FloatExpr(lambd),
                        x - offset, 0.0f);
}

}  // namespace pruner
