// Changes of type, from any type.
#ifndef MODELS_OPERATORS_CAST_H_
#define MODELS_OPERATORS_CAST_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// The nearest float32; of bool 0 or 1.
struct CastToFloat {
  static constexpr OperatorKind kKind{
      "CastToFloat", "cast_to_float", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const CastToFloat&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes /*inputs*/) const {
    return DataType::kFloat32;
  }
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// Without the fraction: rounded towards zero, and to what int64 has.
struct CastToInt64 {
  static constexpr OperatorKind kKind{
      "CastToInt64", "cast_to_int64", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const CastToInt64&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes /*inputs*/) const {
    return DataType::kInt64;
  }
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// input != 0.
struct CastToBool {
  static constexpr OperatorKind kKind{
      "CastToBool", "cast_to_bool", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const CastToBool&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes /*inputs*/) const {
    return DataType::kBool;
  }
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_CAST_H_
