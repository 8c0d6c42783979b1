#include "models/operators/arithmetic.h"

#include <algorithm>
#include <cmath>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "pruner/base/status_macros.h"

namespace pruner {

double Sub::At(double left, double right) const { return left - right; }

Halide::Expr Sub::Emit(absl::Span<const Halide::Expr> operands) const {
  return operands[0] - operands[1];
}

double Mul::At(double left, double right) const { return left * right; }

Halide::Expr Mul::Emit(absl::Span<const Halide::Expr> operands) const {
  return operands[0] * operands[1];
}

double Div::At(double dividend, double divisor) const {
  return dividend / divisor;
}

Halide::Expr Div::Emit(absl::Span<const Halide::Expr> operands) const {
  return operands[0] / operands[1];
}

absl::StatusOr<DataType> IntDiv::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(CheckTypes(inputs, DataType::kInt64));
  return DataType::kInt64;
}

double IntDiv::At(double dividend, double divisor) const {
  return divisor == 0 ? 0 : std::trunc(dividend / divisor);
}

Halide::Expr IntDiv::Emit(absl::Span<const Halide::Expr> operands) const {
  const Halide::Expr& a = operands[0];
  const Halide::Expr& b = operands[1];
  // The instruction traps at divisors of 0, and at -1 for the lowest dividend.
  const Halide::Expr is_safe = b != 0 && b != -1;
  const Halide::Expr one = Halide::cast(b.type(), 1);
  const Halide::Expr quotient =
      Halide::div_round_to_zero(a, Halide::select(is_safe, b, one));
  return Halide::select(is_safe, quotient, b == 0, Halide::cast(b.type(), 0),
                        -a);
}

double Min::At(double left, double right) const {
  return std::min(left, right);
}

Halide::Expr Min::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::min(operands[0], operands[1]);
}

double Max::At(double left, double right) const {
  return std::max(left, right);
}

Halide::Expr Max::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::max(operands[0], operands[1]);
}

}  // namespace pruner
