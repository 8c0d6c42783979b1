#include "models/partition/partition.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Elementwise operators become one nested expression, which Halide and the code
// generator walk recursively: thousands of them would overflow their stacks. No
// network that is worth it has chains so long.
constexpr size_t kMaxGroupNodes = 64;

// Assigns nodes to groups, one per subgraph.
class Grouper {
 public:
  explicit Grouper(const OperatorGraph& graph)
      : graph_(graph),
        producers_(Producers(graph)),
        consumers_(Consumers(graph)),
        is_output_(OutputMask(graph)),
        group_of_(graph.nodes.size(), -1) {}

  // Ascending nodes of each group; the groups in the order of their last nodes.
  // What a group reads is computed by an earlier one: a tensor that leaves its
  // group is the output of the group's last node, which comes before its
  // reader, and so before the reader's group's last node.
  std::vector<std::vector<int>> Run() {
    for (int i = 0; i < static_cast<int>(graph_.nodes.size()); ++i) {
      switch (KindOf(graph_.nodes[i].op).operator_class) {
        case OperatorClass::kAnchor:
          Begin(i);
          break;
        case OperatorClass::kElementwise:
          JoinOrBegin(i);
          break;
        case OperatorClass::kView:
          break;
      }
    }
    std::sort(groups_.begin(), groups_.end(),
              [](const auto& a, const auto& b) { return a.back() < b.back(); });
    return std::move(groups_);
  }

 private:
  void Begin(int node) {
    group_of_[node] = static_cast<int>(groups_.size());
    groups_.push_back({node});
  }

  void JoinOrBegin(int i) {
    const Node& node = graph_.nodes[i];
    int joined = -1;
    for (const TensorId input : node.inputs) {
      const int producer = producers_[input];
      if (producer >= 0 && group_of_[producer] >= 0 &&
          groups_[group_of_[producer]].size() < kMaxGroupNodes &&
          consumers_[input].size() == 1 && !is_output_[input] &&
          graph_.ShapeOf(input) == graph_.ShapeOf(node.output)) {
        joined = std::max(joined, producer);
      }
    }
    if (joined < 0) return Begin(i);
    group_of_[i] = group_of_[joined];
    groups_[group_of_[i]].push_back(i);
  }

  const OperatorGraph& graph_;
  const std::vector<int> producers_;
  const std::vector<std::vector<int>> consumers_;
  const std::vector<bool> is_output_;
  std::vector<int> group_of_;
  std::vector<std::vector<int>> groups_;
};

}  // namespace

absl::StatusOr<PartitionResult> PartitionGraph(const OperatorGraph& graph) {
  RETURN_IF_ERROR(Validate(graph));
  PartitionResult result;
  std::map<std::string, int> index_of;  // by text
  for (std::vector<int>& nodes : Grouper(graph).Run()) {
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
