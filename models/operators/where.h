// Choices.
#ifndef MODELS_OPERATORS_WHERE_H_
#define MODELS_OPERATORS_WHERE_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// then where condition, a bool, is true, and otherwise elsewhere, which are of
// one type.
struct Where {
  static constexpr OperatorKind kKind{"Where",
                                      "where",
                                      {"condition", "then", "otherwise"},
                                      OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Where&) const = default;
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  double At(double condition, double then, double otherwise) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_WHERE_H_
