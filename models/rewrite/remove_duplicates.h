// Equal operators of equal operands.
#ifndef MODELS_REWRITE_REMOVE_DUPLICATES_H_
#define MODELS_REWRITE_REMOVE_DUPLICATES_H_

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"

namespace pruner {

// Of nodes that apply the same operator to the same tensors all but the first
// are left out, unless they are outputs.
absl::StatusOr<OperatorGraph> RemoveDuplicates(const OperatorGraph& graph);

}  // namespace pruner

#endif  // MODELS_REWRITE_REMOVE_DUPLICATES_H_
