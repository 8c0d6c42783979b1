#include "models/operators/cast.h"

#include <algorithm>
#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"
#include "models/operators/emission.h"

namespace pruner {
namespace {

// The largest float that is an int64, too: 2^63 - 2^39.
constexpr double kLargest = 9223371487098961920.0;

}  // namespace

double CastToFloat::At(double value) const { return value; }

Halide::Expr CastToFloat::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::cast<float>(operands[0]);
}

double CastToInt64::At(double value) const {
  return std::trunc(std::clamp(value, -kLargest, kLargest));
}

Halide::Expr CastToInt64::Emit(absl::Span<const Halide::Expr> operands) const {
  Halide::Expr value = operands[0];
  // A conversion of what int64 has not is undefined.
  if (value.type().is_float())
    value = Halide::clamp(value, FloatExpr(-kLargest), FloatExpr(kLargest));
  return Halide::cast<int64_t>(value);
}

double CastToBool::At(double value) const { return value != 0 ? 1 : 0; }

Halide::Expr CastToBool::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& x = operands[0];
  if (x.type().is_bool()) return x;
  return x != 0;
}

}  // namespace pruner
