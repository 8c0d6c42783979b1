#include "models/rewrite/flatten_concats.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "models/operators/operators.h"
#include "models/rewrite/graph_copier.h"

namespace pruner {

absl::StatusOr<OperatorGraph> FlattenConcats(const OperatorGraph& graph) {
  const std::vector<std::vector<int>> consumers = Consumers(graph);
  const std::vector<int> producers = Producers(graph);
  const std::vector<bool> is_output = OutputMask(graph);
  // The node's inputs, or null if it stays an input.
  const auto parts_of =
      [&](TensorId tensor, const Node& reader) -> const std::vector<TensorId>* {
    const int producer = producers[tensor];
    if (producer < 0 || is_output[tensor] || consumers[tensor].size() != 1)
      return nullptr;
    const Node& node = graph.nodes[producer];
    const bool is_read_once =
        std::count(reader.inputs.begin(), reader.inputs.end(), tensor) == 1;
    return node.op == reader.op && is_read_once ? &node.inputs : nullptr;
  };
  GraphCopier copier(graph);
  for (const Node& node : graph.nodes) {
    if (!std::holds_alternative<Concat>(node.op)) {
      copier.CopyNode(node);
      continue;
    }
    Node flat = {.op = node.op, .inputs = {}, .output = node.output};
    for (const TensorId input : node.inputs) {
      if (const std::vector<TensorId>* const parts = parts_of(input, node)) {
        flat.inputs.insert(flat.inputs.end(), parts->begin(), parts->end());
      } else {
        flat.inputs.push_back(input);
      }
    }
    copier.CopyNode(flat);
  }
  return std::move(copier).Finish();
}

}  // namespace pruner
