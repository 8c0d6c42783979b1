#include "models/operators/rounding.h"

#include <cmath>

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

double Floor::At(double value) const { return std::floor(value); }

Halide::Expr Floor::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::floor(operands[0]);
}

double Ceil::At(double value) const { return std::ceil(value); }

Halide::Expr Ceil::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::ceil(operands[0]);
}

double Round::At(double value) const { return std::nearbyint(value); }

Halide::Expr Round::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::round(operands[0]);
}

}  // namespace pruner
