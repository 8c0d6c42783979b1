#include "models/partition/partition.h"

#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "models/partition/grouping.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<PartitionResult> PartitionGraph(const OperatorGraph& graph) {
  RETURN_IF_ERROR(Validate(graph));
  PartitionResult result;
  std::map<std::string, int> index_of;  // by text
  std::vector<std::vector<int>> groups = GroupNodes(graph);
  const std::map<TensorId, OutputSlice> slices = FindSlices(graph, groups);
  std::set<TensorId> joined;
  for (const auto& [tensor, slice] : slices) joined.insert(slice.whole);
  for (std::vector<int>& nodes : groups) {
    if (joined.contains(graph.nodes[nodes[0]].output)) {
      result.joins.push_back(nodes[0]);
      continue;
    }
    ExtractedSubgraph extracted = ExtractSubgraph(graph, nodes);
    const auto [known, is_new] =
        index_of.emplace(PrintSubgraph(extracted.subgraph),
                         static_cast<int>(result.subgraphs.size()));
    if (is_new) result.subgraphs.push_back({std::move(extracted.subgraph), 0});
    ++result.subgraphs[known->second].count;
    const TensorId output = graph.nodes[nodes.back()].output;
    const auto slice = slices.find(output);
    result.instances.push_back({.subgraph = known->second,
                                .nodes = std::move(nodes),
                                .inputs = std::move(extracted.inputs),
                                .output = output,
                                .destination = slice == slices.end()
                                                   ? OutputSlice{output}
                                                   : slice->second});
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
