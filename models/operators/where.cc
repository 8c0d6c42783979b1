#include "models/operators/where.h"

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<DataType> Where::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(CheckTypes(inputs.first(1), DataType::kBool));
  return CommonType(inputs.subspan(1));
}

double Where::At(double condition, double then, double otherwise) const {
  return condition != 0 ? then : otherwise;
}

Halide::Expr Where::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::select(operands[0], operands[1], operands[2]);
}

}  // namespace pruner
