#include "models/operators/pow.h"

#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

double Pow::At(double base, double exponent) const {
  return std::pow(base, exponent);
}

Halide::Expr Pow::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& a = operands[0];
  const Halide::Expr& b = operands[1];
  // Of negative numbers it would be computed by their logarithm.
  const Halide::Expr size = Halide::pow(Halide::abs(a), b);
  const Halide::Expr half = b * 0.5f;
  const Halide::Expr is_odd = Halide::floor(half) != half;
  return Halide::select(a < 0.0f && is_odd, -size, size);
}

}  // namespace pruner
