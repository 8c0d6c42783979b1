// Exponentials, logarithms, roots and the error function.
#ifndef MODELS_OPERATORS_EXPONENTIAL_H_
#define MODELS_OPERATORS_EXPONENTIAL_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// exp(input).
struct Exp {
  static constexpr OperatorKind kKind{
      "Exp", "exp", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Exp&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// The natural logarithm of the input, which is positive.
struct Log {
  static constexpr OperatorKind kKind{
      "Log", "log", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Log&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// The square root of the input, which is at least 0.
struct Sqrt {
  static constexpr OperatorKind kKind{
      "Sqrt", "sqrt", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Sqrt&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// 1 / input.
struct Reciprocal {
  static constexpr OperatorKind kKind{
      "Reciprocal", "reciprocal", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Reciprocal&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// 2 / sqrt(pi) times the integral of exp(-t * t) for t from 0 to the input.
struct Erf {
  static constexpr OperatorKind kKind{
      "Erf", "erf", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 2;
  bool operator==(const Erf&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_EXPONENTIAL_H_
