#include "models/operators/selu.h"

#include <cmath>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"
#include "models/operators/expm1.h"
#include "models/operators/shape_checks.h"

namespace pruner {

absl::Status Selu::CheckAttributes() const {
  return CheckFinite("gamma * alpha", gamma * alpha);
}

double Selu::At(double value) const {
  return gamma * (value > 0 ? value : alpha * std::expm1(value));
}

Halide::Expr Selu::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return Halide::select(x > 0.0f, x * FloatExpr(gamma),
                        Expm1(Halide::min(x, 0.0f)) * FloatExpr(gamma * alpha));
}

absl::Status Celu::CheckAttributes() const {
  if (alpha <= 0) return Invalid("alpha = ", alpha, " is not positive");
  return CheckFinite("1 / alpha", 1 / alpha);
}

double Celu::At(double value) const {
  return value > 0 ? value : alpha * std::expm1(value / alpha);
}

Halide::Expr Celu::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return Halide::select(
      x > 0.0f, x,
      Expm1(Halide::min(x, 0.0f) * FloatExpr(1 / alpha)) * FloatExpr(alpha));
}

}  // namespace pruner
