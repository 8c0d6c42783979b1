#include "models/rewrite/remove_identity.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/rewrite/graph_copier.h"

namespace pruner {
namespace {

bool CopiesItsInput(const OperatorGraph& graph, const Node& node) {
  if (std::holds_alternative<Identity>(node.op)) return true;
  return std::holds_alternative<Reshape>(node.op) &&
         graph.ShapeOf(node.inputs[0]) == graph.ShapeOf(node.output);
}

}  // namespace

absl::StatusOr<OperatorGraph> RemoveIdentity(const OperatorGraph& graph) {
  const std::vector<int> producers = Producers(graph);
  std::vector<bool> is_output = OutputMask(graph);
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) names.push_back(graph.NameOf(node));
  std::vector<bool> removed(graph.nodes.size(), false);
  // From the end, so that a name moves up a whole chain of them.
  for (int i = static_cast<int>(graph.nodes.size()) - 1; i >= 0; --i) {
    const Node& node = graph.nodes[i];
    if (!CopiesItsInput(graph, node)) continue;
    if (is_output[node.output]) {
      const TensorId input = node.inputs[0];
      if (producers[input] < 0 || is_output[input]) continue;
      is_output[input] = true;
      // Swapped, lest two nodes have one name.
      std::swap(names[i], names[producers[input]]);
    }
    removed[i] = true;
  }
  GraphCopier copier(graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (removed[i]) {
      copier.Replace(node.output, copier.Copy(node.inputs[0]));
    } else {
      copier.CopyNode(node, names[i]);
    }
  }
  return std::move(copier).Finish();
}

}  // namespace pruner
