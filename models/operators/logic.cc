#include "models/operators/logic.h"

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<DataType> And::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(CheckTypes(inputs, DataType::kBool));
  return DataType::kBool;
}

double And::At(double left, double right) const {
  return left != 0 && right != 0 ? 1 : 0;
}

Halide::Expr And::Emit(absl::Span<const Halide::Expr> operands) const {
  return operands[0] && operands[1];
}

absl::StatusOr<DataType> Or::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(CheckTypes(inputs, DataType::kBool));
  return DataType::kBool;
}

double Or::At(double left, double right) const {
  return left != 0 || right != 0 ? 1 : 0;
}

Halide::Expr Or::Emit(absl::Span<const Halide::Expr> operands) const {
  return operands[0] || operands[1];
}

absl::StatusOr<DataType> Xor::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(CheckTypes(inputs, DataType::kBool));
  return DataType::kBool;
}

double Xor::At(double left, double right) const {
  return (left != 0) != (right != 0) ? 1 : 0;
}

Halide::Expr Xor::Emit(absl::Span<const Halide::Expr> operands) const {
  return operands[0] != operands[1];
}

absl::StatusOr<DataType> Not::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(CheckTypes(inputs, DataType::kBool));
  return DataType::kBool;
}

double Not::At(double value) const { return value == 0 ? 1 : 0; }

Halide::Expr Not::Emit(absl::Span<const Halide::Expr> operands) const {
  return !operands[0];
}

}  // namespace pruner
