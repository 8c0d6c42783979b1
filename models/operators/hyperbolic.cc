#include "models/operators/hyperbolic.h"

#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

double Sinh::At(double value) const { return std::sinh(value); }

Halide::Expr Sinh::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::sinh(operands[0]);
}

double Cosh::At(double value) const { return std::cosh(value); }

Halide::Expr Cosh::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::cosh(operands[0]);
}

double Asinh::At(double value) const { return std::asinh(value); }

Halide::Expr Asinh::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::asinh(operands[0]);
}

double Acosh::At(double value) const { return std::acosh(value); }

Halide::Expr Acosh::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::acosh(operands[0]);
}

double Atanh::At(double value) const { return std::atanh(value); }

Halide::Expr Atanh::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::atanh(operands[0]);
}

}  // namespace pruner
