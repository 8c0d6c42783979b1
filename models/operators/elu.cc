#include "models/operators/elu.h"

#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"
#include "models/operators/expm1.h"

namespace pruner {

double Elu::At(double value) const {
  return value > 0 ? value : alpha * std::expm1(value);
}

Halide::Expr Elu::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return Halide::select(x > 0.0f, x,
                        Expm1(Halide::min(x, 0.0f)) * FloatExpr(alpha));
}

}  // namespace pruner
