// Sums.
#ifndef MODELS_OPERATORS_ADD_H_
#define MODELS_OPERATORS_ADD_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// left + right, numbers of one type.
struct Add {
  static constexpr OperatorKind kKind{
      "Add", "add", {"left", "right"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Add&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const {
    return NumberType(inputs);
  }
  double At(double left, double right) const { return left + right; }
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_ADD_H_
