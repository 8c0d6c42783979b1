#include "models/operators/swish.h"

#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"

namespace pruner {

double Swish::At(double value) const {
  return value / (1 + std::exp(-alpha * value));
}

Halide::Expr Swish::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  // Beyond 80 the quotient is 0, and the exponential would overflow.
  return x / (1.0f + Halide::exp(Halide::min(x * FloatExpr(-alpha), 80.0f)));
}

}  // namespace pruner
