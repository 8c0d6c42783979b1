#include "models/operators/softplus.h"

#include <algorithm>
#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

double Softplus::At(double value) const {
  return std::max(value, 0.0) + std::log1p(std::exp(-std::abs(value)));
}

Halide::Expr Softplus::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  // So that the exponential does not overflow.
  return Halide::max(x, 0.0f) +
         Halide::log(1.0f + Halide::exp(-Halide::abs(x)));
}

}  // namespace pruner
