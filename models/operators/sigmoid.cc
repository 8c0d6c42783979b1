#include "models/operators/sigmoid.h"

#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

double Sigmoid::At(double value) const { return 1 / (1 + std::exp(-value)); }

Halide::Expr Sigmoid::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return 1.0f / (1.0f + Halide::exp(-x));
}

}  // namespace pruner
