// A rewrite: nodes that compute nothing go.
#ifndef MODELS_REWRITE_REMOVE_IDENTITY_H_
#define MODELS_REWRITE_REMOVE_IDENTITY_H_

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"

namespace pruner {

// Lets the readers of an Identity, and of a Reshape to the shape its input has,
// read its input. Names of outputs are kept: where such a node is an output,
// the node before it takes over its name; it stays where there is none to (its
// input is an input, a constant or itself an output of the graph).
absl::StatusOr<OperatorGraph> RemoveIdentity(const OperatorGraph& graph);

}  // namespace pruner

#endif  // MODELS_REWRITE_REMOVE_IDENTITY_H_
