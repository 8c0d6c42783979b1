#include "models/operators/clip.h"

#include <algorithm>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"
#include "models/operators/shape_checks.h"

namespace pruner {

absl::Status Clip::CheckAttributes() const {
  if (low > high) return Invalid("low = ", low, " is more than high = ", high);
  return absl::OkStatus();
}

double Clip::At(double value) const { return std::clamp(value, low, high); }

Halide::Expr Clip::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  return Halide::clamp(x, FloatExpr(low), FloatExpr(high));
}

}  // namespace pruner
