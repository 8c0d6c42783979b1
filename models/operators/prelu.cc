#include "models/operators/prelu.h"

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

double PRelu::At(double value, double slope) const {
  return value < 0 ? slope * value : value;
}

Halide::Expr PRelu::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& a = operands[0];
  return Halide::select(a < 0.0f, operands[1] * a, a);
}

}  // namespace pruner
