#include "models/rewrite/remove_dead.h"

#include <utility>
#include <vector>

#include "models/rewrite/graph_copier.h"

namespace pruner {

absl::StatusOr<OperatorGraph> RemoveDead(const OperatorGraph& graph) {
  std::vector<bool> live = OutputMask(graph);
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (!live[node->output]) continue;
    for (const TensorId input : node->inputs) live[input] = true;
  }
  GraphCopier copier(graph);
  for (const Node& node : graph.nodes) {
    if (live[node.output]) copier.CopyNode(node);
  }
  return std::move(copier).Finish();
}

}  // namespace pruner
