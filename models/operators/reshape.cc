#include "models/operators/reshape.h"

#include "absl/status/statusor.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<Shape> Reshape::InferShape(Shapes inputs) const {
  RETURN_IF_ERROR(CheckShape(shape));
  if (NumElements(shape) != NumElements(inputs[0])) {
    return Invalid("shape ", ShapeText(shape), " has ", NumElements(shape),
                   " elements, the input has ", NumElements(inputs[0]));
  }
  return shape;
}

double Reshape::CountFlops(Shapes, const Shape&) const { return 0; }

void Reshape::Evaluate(Arrays inputs, int, Array& output) const {
  output.values = inputs[0]->values;
}

absl::StatusOr<Shape> Identity::InferShape(Shapes inputs) const {
  return inputs[0];
}

double Identity::CountFlops(Shapes, const Shape&) const { return 0; }

void Identity::Evaluate(Arrays inputs, int, Array& output) const {
  output.values = inputs[0]->values;
}

}  // namespace pruner
