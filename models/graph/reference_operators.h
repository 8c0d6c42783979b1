// What each operator computes, in double precision and the obvious way. This is
// the definition that generated code is compared with.
#ifndef MODELS_GRAPH_REFERENCE_OPERATORS_H_
#define MODELS_GRAPH_REFERENCE_OPERATORS_H_

#include <vector>

#include "absl/types/span.h"
#include "models/graph/operators.h"
#include "models/graph/shape.h"

namespace pruner {

// A tensor's values, row-major; values.size() == NumElements(shape).
struct Array {
  Shape shape;
  std::vector<double> values;
};

// The operator's output, of shape `output_shape`; shapes are those InferShape
// accepts and returns. Convolutions and matrix products share their rows among
// `threads` threads; the result does not depend on how many.
Array EvaluateOperator(const Operator& op,
                       absl::Span<const Array* const> inputs,
                       const Shape& output_shape, int threads);

}  // namespace pruner

#endif  // MODELS_GRAPH_REFERENCE_OPERATORS_H_
