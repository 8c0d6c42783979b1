// Logic on bool.
#ifndef MODELS_OPERATORS_LOGIC_H_
#define MODELS_OPERATORS_LOGIC_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// Both are true.
struct And {
  static constexpr OperatorKind kKind{
      "And", "and", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const And&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  double At(double left, double right) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// At least one is true.
struct Or {
  static constexpr OperatorKind kKind{
      "Or", "or", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Or&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  double At(double left, double right) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// They differ.
struct Xor {
  static constexpr OperatorKind kKind{
      "Xor", "xor", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Xor&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  double At(double left, double right) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// It is false.
struct Not {
  static constexpr OperatorKind kKind{
      "Not", "not", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Not&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_LOGIC_H_
