#include "models/operators/expm1.h"

#include "Halide.h"
#include "models/operators/emission.h"

namespace pruner {

Halide::Expr Expm1(const Halide::Expr& x) {
  // Taylor's series, x + x^2 / 2! + ... + x^8 / 8!; what it lacks is less than
  // 2e-8 of it below 1/2.
  Halide::Expr series = FloatExpr(1.0 / 8);
  for (int divisor = 7; divisor >= 1; --divisor)
    series = (series * x + 1.0f) * FloatExpr(1.0 / divisor);
  return Halide::select(Halide::abs(x) < 0.5f, series * x,
                        Halide::exp(x) - 1.0f);
}

}  // namespace pruner
