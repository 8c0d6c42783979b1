// Which elements are no numbers.
#ifndef MODELS_OPERATORS_IS_NAN_H_
#define MODELS_OPERATORS_IS_NAN_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// As exporters ask it of a softmax whose scores may all be masked.
struct IsNan {
  static constexpr OperatorKind kKind{
      "IsNan", "is_nan", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const IsNan&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_IS_NAN_H_
