#include "models/operators/hard_swish.h"

#include <algorithm>

#include "Halide.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"

namespace pruner {

double HardSwish::At(double value) const {
  return value * std::clamp(value / 6 + 0.5, 0.0, 1.0);
}

Halide::Expr HardSwish::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return x * Halide::clamp(x * FloatExpr(1.0 / 6) + 0.5f, 0.0f, 1.0f);
}

}  // namespace pruner
