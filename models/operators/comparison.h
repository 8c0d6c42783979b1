// Comparisons, whose results are bool.
#ifndef MODELS_OPERATORS_COMPARISON_H_
#define MODELS_OPERATORS_COMPARISON_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// left == right, of one type.
struct Equal {
  static constexpr OperatorKind kKind{
      "Equal", "equal", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Equal&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  double At(double left, double right) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// left > right, numbers of one type.
struct Greater {
  static constexpr OperatorKind kKind{
      "Greater", "greater", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Greater&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  double At(double left, double right) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// left >= right, numbers of one type.
struct GreaterOrEqual {
  static constexpr OperatorKind kKind{"GreaterOrEqual",
                                      "greater_or_equal",
                                      {"left", "right"},
                                      OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const GreaterOrEqual&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  double At(double left, double right) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// left < right, numbers of one type.
struct Less {
  static constexpr OperatorKind kKind{
      "Less", "less", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Less&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  double At(double left, double right) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// left <= right, numbers of one type.
struct LessOrEqual {
  static constexpr OperatorKind kKind{"LessOrEqual",
                                      "less_or_equal",
                                      {"left", "right"},
                                      OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const LessOrEqual&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  double At(double left, double right) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_COMPARISON_H_
