// Concatenations of concatenations.
#ifndef MODELS_REWRITE_FLATTEN_CONCATS_H_
#define MODELS_REWRITE_FLATTEN_CONCATS_H_

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"

namespace pruner {

// An input of a concatenation that is one along the same axis, which nobody
// else reads, is replaced by its inputs. It then has no readers.
absl::StatusOr<OperatorGraph> FlattenConcats(const OperatorGraph& graph);

}  // namespace pruner

#endif  // MODELS_REWRITE_FLATTEN_CONCATS_H_
