// What an operator makes of the shapes of its inputs, and which it refuses.
#ifndef MODELS_GRAPH_OPERATOR_SHAPES_H_
#define MODELS_GRAPH_OPERATOR_SHAPES_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/graph/operators.h"
#include "models/graph/shape.h"

namespace pruner {

// The shape of the operator's output. InvalidArgument when the number of
// inputs, their shapes or the attributes do not fit together; the message says
// which and why, and leaves naming the node to the caller. Input shapes have
// passed CheckShape; so has the result.
absl::StatusOr<Shape> InferShape(const Operator& op,
                                 absl::Span<const Shape> inputs);

}  // namespace pruner

#endif  // MODELS_GRAPH_OPERATOR_SHAPES_H_
