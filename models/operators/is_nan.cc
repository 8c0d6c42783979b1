#include "models/operators/is_nan.h"

#include <cmath>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<DataType> IsNan::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(CheckTypes(inputs, DataType::kFloat32));
  return DataType::kBool;
}

double IsNan::At(double value) const { return std::isnan(value) ? 1 : 0; }

Halide::Expr IsNan::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::is_nan(operands[0]);
}

}  // namespace pruner
