// Trigonometric functions and their inverses; angles are in radians.
#ifndef MODELS_OPERATORS_TRIGONOMETRY_H_
#define MODELS_OPERATORS_TRIGONOMETRY_H_

#include "absl/types/span.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// The sine.
struct Sin {
  static constexpr OperatorKind kKind{
      "Sin", "sin", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Sin&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// The cosine.
struct Cos {
  static constexpr OperatorKind kKind{
      "Cos", "cos", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Cos&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// The tangent.
struct Tan {
  static constexpr OperatorKind kKind{
      "Tan", "tan", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Tan&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// The angle between -pi / 2 and pi / 2 of this sine, between -1 and 1.
struct Asin {
  static constexpr OperatorKind kKind{
      "Asin", "asin", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Asin&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// The angle between 0 and pi of this cosine, between -1 and 1.
struct Acos {
  static constexpr OperatorKind kKind{
      "Acos", "acos", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Acos&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

// The angle between -pi / 2 and pi / 2 of this tangent.
struct Atan {
  static constexpr OperatorKind kKind{
      "Atan", "atan", {"input"}, OperatorClass::kElementwise};
  static constexpr int kFlops = 1;
  bool operator==(const Atan&) const = default;
  double At(double value) const;
  Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_TRIGONOMETRY_H_
