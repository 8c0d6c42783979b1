// The order in which the nodes of a graph can be computed.
#ifndef MODELS_ONNX_TOPOLOGICAL_ORDER_H_
#define MODELS_ONNX_TOPOLOGICAL_ORDER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "models/onnx/onnx_node.h"

namespace pruner {

// Each node after those whose outputs it reads; of those that could come next
// the one that came first, so that nodes in such an order stay as they are. No
// two nodes have an output of the same name. InvalidArgument that names nodes
// of a cycle if there is one.
absl::StatusOr<std::vector<OnnxNode>> SortTopologically(
    std::vector<OnnxNode> nodes);

}  // namespace pruner

#endif  // MODELS_ONNX_TOPOLOGICAL_ORDER_H_
