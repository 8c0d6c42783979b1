#include "models/operators/hard_sigmoid.h"

#include <algorithm>

#include "Halide.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"

namespace pruner {

double HardSigmoid::At(double value) const {
  return std::clamp(alpha * value + beta, 0.0, 1.0);
}

Halide::Expr HardSigmoid::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return Halide::clamp(x * FloatExpr(alpha) + FloatExpr(beta), 0.0f, 1.0f);
}

}  // namespace pruner
