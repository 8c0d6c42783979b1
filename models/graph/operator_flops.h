// How much arithmetic an operator does: the measure of GFLOP/s for networks.
#ifndef MODELS_GRAPH_OPERATOR_FLOPS_H_
#define MODELS_GRAPH_OPERATOR_FLOPS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "models/graph/operators.h"
#include "models/graph/shape.h"

namespace pruner {

// Arithmetic operations of one execution: a multiplication, an addition, a
// maximum, a division and an exponential count 1 each, so a multiply-add
// counts 2. Windows count whole, padding included, as is usual for
// convolutions. Shapes are those InferShape accepts and returns.
double CountFlops(const Operator& op, absl::Span<const Shape> inputs,
                  const Shape& output);

}  // namespace pruner

#endif  // MODELS_GRAPH_OPERATOR_FLOPS_H_
