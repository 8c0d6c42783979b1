#include "models/rewrite/remove_duplicates.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/rewrite/graph_copier.h"

namespace pruner {

absl::StatusOr<OperatorGraph> RemoveDuplicates(const OperatorGraph& graph) {
  const std::vector<bool> is_output = OutputMask(graph);
  GraphCopier copier(graph);
  std::map<std::pair<std::string, std::vector<TensorId>>, TensorId> known;
  for (const Node& node : graph.nodes) {
    std::vector<TensorId> inputs;
    for (const TensorId input : node.inputs)
      inputs.push_back(copier.Copy(input));
    const auto [first, is_new] =
        known.emplace(std::pair(OperatorText(node.op), inputs), kNoTensor);
    if (is_new || is_output[node.output]) {
      copier.CopyNode(node);
      if (is_new) first->second = copier.Copy(node.output);
    } else {
      copier.Replace(node.output, first->second);
    }
  }
  return std::move(copier).Finish();
}

}  // namespace pruner
