// Shapes: reshapes move behind what is done to each element.
#ifndef MODELS_REWRITE_MOVE_RESHAPES_H_
#define MODELS_REWRITE_MOVE_RESHAPES_H_

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"

namespace pruner {

// An elementwise operator that reads a reshaped tensor, whom nobody else reads,
// and otherwise constants of one element reads what was reshaped, and its
// result is reshaped instead: so it can belong to the kernel of the convolution
// or matrix product before it, such as the scale of an attention's queries.
absl::StatusOr<OperatorGraph> MoveReshapes(const OperatorGraph& graph);

}  // namespace pruner

#endif  // MODELS_REWRITE_MOVE_RESHAPES_H_
