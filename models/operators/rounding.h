// Whole numbers near to others.
#ifndef MODELS_OPERATORS_ROUNDING_H_
#define MODELS_OPERATORS_ROUNDING_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// The largest whole number that is not more than the input.
struct Floor {
  static constexpr OperatorKind kKind{
      "Floor", "floor", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Floor&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// The smallest whole number that is not less than the input.
struct Ceil {
  static constexpr OperatorKind kKind{
      "Ceil", "ceil", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Ceil&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// The nearest whole number, the even one of two.
struct Round {
  static constexpr OperatorKind kKind{
      "Round", "round", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Round&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_ROUNDING_H_
