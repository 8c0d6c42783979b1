#include "models/partition/partition.h"

#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "models/partition/grouping.h"
#include "pruner/base/status_macros.h"

namespace pruner {
absl::StatusOr<PartitionResult> PartitionGraph(const OperatorGraph& graph) {
  RETURN_IF_ERROR(Validate(graph));
  PartitionResult result;
  std::map<std::string, int> index_of;  // by text
  for (std::vector<int>& nodes : GroupNodes(graph)) {
    ExtractedSubgraph extracted = ExtractSubgraph(graph, nodes);
    const auto [known, is_new] =
        index_of.emplace(PrintSubgraph(extracted.subgraph),
                         static_cast<int>(result.subgraphs.size()));
    if (is_new) result.subgraphs.push_back({std::move(extracted.subgraph), 0});
    ++result.subgraphs[known->second].count;
    const TensorId output = graph.nodes[nodes.back()].output;
    result.instances.push_back(
        {known->second, std::move(nodes), std::move(extracted.inputs), output});
  }
  result.storage.resize(graph.tensors.size());
  std::iota(result.storage.begin(), result.storage.end(), 0);
  for (int i = 0; i < static_cast<int>(graph.nodes.size()); ++i) {
    const Node& node = graph.nodes[i];
    if (KindOf(node.op).operator_class != OperatorClass::kView) continue;
    result.views.push_back(i);
    result.storage[node.output] = result.storage[node.inputs[0]];
  }
  return result;
}

}  // namespace pruner
