// What has to do with signs.
#ifndef MODELS_OPERATORS_SIGN_H_
#define MODELS_OPERATORS_SIGN_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// -input, of numbers.
struct Neg {
  static constexpr OperatorKind kKind{
      "Neg", "neg", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Neg&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return NumberType(inputs);
  }
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// |input|, of numbers.
struct Abs {
  static constexpr OperatorKind kKind{
      "Abs", "abs", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Abs&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return NumberType(inputs);
  }
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// -1, 0 or 1, as the input, a number, is less than, equal to or more than 0.
struct Sign {
  static constexpr OperatorKind kKind{
      "Sign", "sign", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Sign&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return NumberType(inputs);
  }
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_SIGN_H_
