// Which nodes of a network share a kernel.
#ifndef MODELS_PARTITION_GROUPING_H_
#define MODELS_PARTITION_GROUPING_H_

#include <vector>

#include "models/graph/operator_graph.h"

namespace pruner {

// The nodes of each kernel, the anchor first if there is one, the others
// ascending; the kernels in an order in which they can be executed. Views are
// in none. See PartitionGraph for the rules. The graph is valid.
std::vector<std::vector<int>> GroupNodes(const OperatorGraph& graph);

}  // namespace pruner

#endif  // MODELS_PARTITION_GROUPING_H_
