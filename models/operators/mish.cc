#include "models/operators/mish.h"

#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

double Mish::At(double value) const {
  return value * std::tanh(std::log1p(std::exp(value)));
}

Halide::Expr Mish::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  // tanh(log(1 + e)) = (e^2 + 2 e) / (e^2 + 2 e + 2), where nothing cancels. It
  // is 1 long before its square overflows.
  const Halide::Expr e = Halide::exp(Halide::min(x, 20.0f));
  const Halide::Expr square = e * (e + 2.0f);
  return x * square / (square + 2.0f);
}

}  // namespace pruner
