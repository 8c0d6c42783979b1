#include "models/operators/exponential.h"

#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

double Exp::At(double value) const { return std::exp(value); }

Halide::Expr Exp::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::exp(operands[0]);
}

double Log::At(double value) const { return std::log(value); }

Halide::Expr Log::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::log(operands[0]);
}

double Sqrt::At(double value) const { return std::sqrt(value); }

Halide::Expr Sqrt::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::sqrt(operands[0]);
}

double Reciprocal::At(double value) const { return 1 / value; }

Halide::Expr Reciprocal::Emit(absl::Span<const Halide::Expr> operands) const {
  return 1.0f / operands[0];
}

double Erf::At(double value) const { return std::erf(value); }

Halide::Expr Erf::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::erf(operands[0]);
}

}  // namespace pruner
