#include "models/operators/silu.h"

#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

double Silu::At(double value) const { return value / (1 + std::exp(-value)); }

Halide::Expr Silu::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return x / (1.0f + Halide::exp(-x));
}

}  // namespace pruner
