#include "models/operators/relu.h"

#include <algorithm>

#include "Halide.h"
#include "absl/types/span.h"

namespace pruner {

double Relu::At(double value) const { return std::max(value, 0.0); }

double Relu6::At(double value) const { return std::clamp(value, 0.0, 6.0); }

Halide::Expr Relu::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::max(operands[0], 0.0f);
}

Halide::Expr Relu6::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::clamp(operands[0], 0.0f, 6.0f);
}

}  // namespace pruner
