#include "models/operators/sign.h"

#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

double Neg::At(double value) const { return -value; }

Halide::Expr Neg::Emit(absl::Span<const Halide::Expr> operands) const {
  return -operands[0];
}

double Abs::At(double value) const { return std::abs(value); }

Halide::Expr Abs::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  // Halide's is unsigned for integers.
  return Halide::cast(x.type(), Halide::abs(x));
}

double Sign::At(double value) const {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

Halide::Expr Sign::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  const Halide::Type type = x.type();
  return Halide::select(x > 0, Halide::cast(type, 1), x < 0,
                        Halide::cast(type, -1), Halide::cast(type, 0));
}

}  // namespace pruner
