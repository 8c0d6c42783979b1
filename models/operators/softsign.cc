#include "models/operators/softsign.h"

#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

double Softsign::At(double value) const {
  return value / (1 + std::abs(value));
}

Halide::Expr Softsign::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return x / (1.0f + Halide::abs(x));
}

}  // namespace pruner
