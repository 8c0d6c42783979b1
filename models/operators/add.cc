#include "models/operators/add.h"

#include <cstddef>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"

namespace pruner {

absl::StatusOr<Shape> Add::InferShape(Shapes inputs) const {
  if (inputs[0] != inputs[1])
    return Invalid("left and right must have one shape");
  return inputs[0];
}

double Add::CountFlops(Shapes, const Shape& output) const {
  return NumElementsAsDouble(output);
}

void Add::Evaluate(Arrays inputs, int, Array& output) const {
  for (size_t i = 0; i < output.values.size(); ++i) {
    output.values[i] = inputs[0]->values[i] + inputs[1]->values[i];
  }
}

Halide::Expr Add::Emit(absl::Span<const Halide::Expr> operands) const {
  return operands[0] + operands[1];
}

}  // namespace pruner
