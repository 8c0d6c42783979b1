#include "models/operators/gelu.h"

#include <cmath>
#include <numbers>

#include "Halide.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"

namespace pruner {

double Gelu::At(double value) const {
  return value / 2 * (1 + std::erf(value * std::numbers::sqrt2 / 2));
}

Halide::Expr Gelu::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return x * 0.5f *
         (1.0f + Halide::erf(x * FloatExpr(std::numbers::sqrt2 / 2)));
}

}  // namespace pruner
