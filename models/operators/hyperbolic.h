// Hyperbolic functions and their inverses. Those of the math library, which are
// accurate near 0, too, where sums of exponentials cancel.
#ifndef MODELS_OPERATORS_HYPERBOLIC_H_
#define MODELS_OPERATORS_HYPERBOLIC_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// The hyperbolic sine.
struct Sinh {
  static constexpr OperatorKind kKind{
      "Sinh", "sinh", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Sinh&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// The hyperbolic cosine.
struct Cosh {
  static constexpr OperatorKind kKind{
      "Cosh", "cosh", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Cosh&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// The inverse of Sinh.
struct Asinh {
  static constexpr OperatorKind kKind{
      "Asinh", "asinh", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Asinh&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// The inverse of Cosh, at least 0; the input is at least 1.
struct Acosh {
  static constexpr OperatorKind kKind{
      "Acosh", "acosh", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Acosh&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// The inverse of Tanh; the input is between -1 and 1.
struct Atanh {
  static constexpr OperatorKind kKind{
      "Atanh", "atanh", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Atanh&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_HYPERBOLIC_H_
