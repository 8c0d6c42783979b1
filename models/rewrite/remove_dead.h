// A rewrite: what no output needs goes.
#ifndef MODELS_REWRITE_REMOVE_DEAD_H_
#define MODELS_REWRITE_REMOVE_DEAD_H_

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"

namespace pruner {

// Removes nodes and constants on which no output depends.
absl::StatusOr<OperatorGraph> RemoveDead(const OperatorGraph& graph);

}  // namespace pruner

#endif  // MODELS_REWRITE_REMOVE_DEAD_H_
