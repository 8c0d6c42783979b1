#include "models/operators/relu.h"

#include <algorithm>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/unary.h"

namespace pruner {

absl::StatusOr<Shape> Relu::InferShape(Shapes inputs) const {
  return inputs[0];
}

double Relu::CountFlops(Shapes, const Shape& output) const {
  return NumElementsAsDouble(output);
}

void Relu::Evaluate(Arrays inputs, int, Array& output) const {
  ForElements(*inputs[0], output,
              [](double value) { return std::max(value, 0.0); });
}

absl::StatusOr<Shape> Relu6::InferShape(Shapes inputs) const {
  return inputs[0];
}

double Relu6::CountFlops(Shapes, const Shape& output) const {
  return 2.0 * NumElementsAsDouble(output);
}

void Relu6::Evaluate(Arrays inputs, int, Array& output) const {
  ForElements(*inputs[0], output,
              [](double value) { return std::clamp(value, 0.0, 6.0); });
}

Halide::Expr Relu::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::max(operands[0], 0.0f);
}

Halide::Expr Relu6::Emit(absl::Span<const Halide::Expr> operands) const {
  return Halide::clamp(operands[0], 0.0f, 6.0f);
}

}  // namespace pruner
