#include "models/operators/bias_add.h"

#include <cstddef>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<Shape> BiasAdd::InferShape(Shapes inputs) const {
  RETURN_IF_ERROR(CheckChannels("bias", inputs[1], inputs[0]));
  return inputs[0];
}

double BiasAdd::CountFlops(Shapes, const Shape& output) const {
  return NumElementsAsDouble(output);
}

void BiasAdd::Evaluate(Arrays inputs, int, Array& output) const {
  const size_t channels = inputs[1]->values.size();
  for (size_t i = 0; i < output.values.size(); ++i) {
    output.values[i] = inputs[0]->values[i] + inputs[1]->values[i % channels];
  }
}

Halide::Expr BiasAdd::Emit(absl::Span<const Halide::Expr> operands) const {
  return operands[0] + operands[1];
}

}  // namespace pruner
