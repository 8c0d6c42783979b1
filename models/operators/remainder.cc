#include "models/operators/remainder.h"

#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {
namespace {

using Halide::Expr;

// Of floats. The quotient, rounded before its fraction goes, may be one too
// far from zero; the remainder then has the wrong sign.
Expr FloatRemainder(const Expr& a, const Expr& b) {
  const Expr size = Halide::abs(b);
  const Expr safe = Halide::select(size > 0.0f, size, 1.0f);
  const Expr left = Halide::abs(a);
  const Expr rough = left - safe * Halide::floor(left / safe);
  const Expr remainder = Halide::select(rough < 0.0f, rough + safe,
                                        rough >= safe, rough - safe, rough);
  return Halide::select(size > 0.0f,
                        Halide::select(a < 0.0f, -remainder, remainder), 0.0f);
}

// With the sign of `a`.
Expr Remainder(const Expr& a, const Expr& b) {
  if (a.type().is_float()) return FloatRemainder(a, b);
  // The instruction traps at divisors of 0, and at -1 for the lowest dividend;
  // the remainder of these is that of a division by 1.
  const Expr is_safe = b != 0 && b != -1;
  return Halide::mod_round_to_zero(
      a, Halide::select(is_safe, b, Halide::cast(b.type(), 1)));
}

}  // namespace

double Mod::At(double dividend, double divisor) const {
  const double remainder = FloatMod().At(dividend, divisor);
  return remainder * divisor < 0 ? remainder + divisor : remainder;
}

Halide::Expr Mod::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& b = operands[1];
  const Halide::Expr remainder = Remainder(operands[0], b);
  return Halide::select((remainder < 0 && b > 0) || (remainder > 0 && b < 0),
                        remainder + b, remainder);
}

double FloatMod::At(double dividend, double divisor) const {
  return divisor == 0 ? 0 : std::fmod(dividend, divisor);
}

Halide::Expr FloatMod::Emit(absl::Span<const Halide::Expr> operands) const {
  return Remainder(operands[0], operands[1]);
}

}  // namespace pruner
