// Differences, products, quotients, minima and maxima.
#ifndef MODELS_OPERATORS_ARITHMETIC_H_
#define MODELS_OPERATORS_ARITHMETIC_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// left - right, numbers of one type.
struct Sub {
  static constexpr OperatorKind kKind{
      "Sub", "sub", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Sub&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return NumberType(inputs);
  }
  double At(double left, double right) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// left * right, numbers of one type.
struct Mul {
  static constexpr OperatorKind kKind{
      "Mul", "mul", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Mul&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return NumberType(inputs);
  }
  double At(double left, double right) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// left / right.
struct Div {
  static constexpr OperatorKind kKind{
      "Div", "div", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Div&) const = default;
  double At(double dividend, double divisor) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// left / right of int64 without the fraction, as in C: rounded towards zero. 0
// where right is 0.
struct IntDiv {
  static constexpr OperatorKind kKind{
      "IntDiv", "int_div", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const IntDiv&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  double At(double dividend, double divisor) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// min(left, right), numbers of one type.
struct Min {
  static constexpr OperatorKind kKind{
      "Min", "min", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Min&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return NumberType(inputs);
  }
  double At(double left, double right) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// max(left, right), numbers of one type.
struct Max {
  static constexpr OperatorKind kKind{
      "Max", "max", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Max&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return NumberType(inputs);
  }
  double At(double left, double right) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_ARITHMETIC_H_
