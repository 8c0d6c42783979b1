#include "models/operators/comparison.h"

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<DataType> Equal::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(CommonType(inputs).status());
  return DataType::kBool;
}

double Equal::At(double left, double right) const {
  return left == right ? 1 : 0;
}

Halide::Expr Equal::Emit(absl::Span<const Halide::Expr> operands) const {
  return operands[0] == operands[1];
}

absl::StatusOr<DataType> Greater::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(NumberType(inputs).status());
  return DataType::kBool;
}

double Greater::At(double left, double right) const {
  return left > right ? 1 : 0;
}

Halide::Expr Greater::Emit(absl::Span<const Halide::Expr> operands) const {
  return operands[0] > operands[1];
}

absl::StatusOr<DataType> GreaterOrEqual::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(NumberType(inputs).status());
  return DataType::kBool;
}

double GreaterOrEqual::At(double left, double right) const {
  return left >= right ? 1 : 0;
}

Halide::Expr GreaterOrEqual::Emit(
    absl::Span<const Halide::Expr> operands) const {
  return operands[0] >= operands[1];
}

absl::StatusOr<DataType> Less::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(NumberType(inputs).status());
  return DataType::kBool;
}

double Less::At(double left, double right) const {
  return left < right ? 1 : 0;
}

Halide::Expr Less::Emit(absl::Span<const Halide::Expr> operands) const {
  return operands[0] < operands[1];
}

absl::StatusOr<DataType> LessOrEqual::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(NumberType(inputs).status());
  return DataType::kBool;
}

double LessOrEqual::At(double left, double right) const {
  return left <= right ? 1 : 0;
}

Halide::Expr LessOrEqual::Emit(absl::Span<const Halide::Expr> operands) const {
  return operands[0] <= operands[1];
}

}  // namespace pruner
