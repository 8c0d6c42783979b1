#include "models/operators/tanh.h"

#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

double Tanh::At(double value) const { return std::tanh(value); }

Halide::Expr Tanh::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return Halide::tanh(x);
}

}  // namespace pruner
