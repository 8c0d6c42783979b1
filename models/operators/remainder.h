// Remainders of divisions. Of floats, a left that is a whole multiple of right
// but for its last bits may have either end of the range as its remainder.
#ifndef MODELS_OPERATORS_REMAINDER_H_
#define MODELS_OPERATORS_REMAINDER_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// left - right * floor(left / right), numbers of one type: the remainder has
// the sign of right, as in Python. 0 where right is 0.
struct Mod {
  static constexpr OperatorKind kKind{
      "Mod", "mod", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 4;
  bool operator==(const Mod&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return NumberType(inputs);
  }
  double At(double dividend, double divisor) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// left - right * trunc(left / right), numbers of one type: the remainder has
// the sign of left, as of fmod in C. 0 where right is 0.
struct FloatMod {
  static constexpr OperatorKind kKind{
      "FloatMod", "float_mod", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 3;
  bool operator==(const FloatMod&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return NumberType(inputs);
  }
  double At(double dividend, double divisor) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_REMAINDER_H_
