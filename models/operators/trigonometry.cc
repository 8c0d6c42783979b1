#include "models/operators/trigonometry.h"

#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

double Sin::At(double value) const { return std::sin(value); }

Halide::Expr Sin::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::sin(operands[0]);
}

double Cos::At(double value) const { return std::cos(value); }

Halide::Expr Cos::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::cos(operands[0]);
}

double Tan::At(double value) const { return std::tan(value); }

Halide::Expr Tan::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::tan(operands[0]);
}

double Asin::At(double value) const { return std::asin(value); }

Halide::Expr Asin::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::asin(operands[0]);
}

double Acos::At(double value) const { return std::acos(value); }

Halide::Expr Acos::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::acos(operands[0]);
}

double Atan::At(double value) const { return std::atan(value); }

Halide::Expr Atan::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::atan(operands[0]);
}

}  // namespace pruner
