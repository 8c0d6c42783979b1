#include "models/partition/grouping.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/operators/operators.h"

namespace pruner {
namespace {

// Elementwise operators become one nested expression, which Halide and the code
// generator walk recursively: thousands of them would overflow their stacks,
// and what is read twice is walked twice. No network that is worth it has
// expressions so large.
constexpr int64_t kMaxExpressionNodes = 64;

class Grouper {
 public:
  explicit Grouper(const OperatorGraph& graph)
      : graph_(graph),
        consumers_(Consumers(graph)),
        is_output_(OutputMask(graph)),
        group_of_(graph.nodes.size(), -1) {}

  std::vector<std::vector<int>> Run() {
    const int nodes = static_cast<int>(graph_.nodes.size());
    // An operand of two anchors' results belongs to the later one.
    for (int i = nodes; i-- > 0;) {
      if (ClassOf(i) == OperatorClass::kAnchor) Begin(i);
    }
    for (int i = 0; i < nodes; ++i) {
      if (ClassOf(i) == OperatorClass::kElementwise && group_of_[i] < 0)
        Begin(i);
    }
    for (size_t group = 0; group < groups_.size(); ++group)
      JoinReader(static_cast<int>(group));
    return Ordered();
  }

 private:
  OperatorClass ClassOf(int node) const {
    return KindOf(graph_.nodes[node].op).operator_class;
  }
  TensorId OutputOf(int node) const { return graph_.nodes[node].output; }

  void Begin(int node) {
    const int group = static_cast<int>(groups_.size());
    groups_.push_back({node});
    group_of_[node] = group;
    int last = node;
    while (true) {
      const std::vector<int> region = Region(last);
      if (region.empty() || !Fits(groups_[group], region)) return;
      for (const int added : region) {
        group_of_[added] = group;
        groups_[group].push_back(added);
      }
      last = region.back();
    }
  }

  // The nodes that read what `node` computes, and what these compute, up to the
  // first one through which all of it flows: ascending, that one is the last.
  // None if there is no such node or one of them cannot join.
  std::vector<int> Region(int node) const {
    std::vector<int> region;
    // Nodes whose outputs have readers that are not in the region yet.
    std::vector<int> open = {node};
    while (true) {
      // Of all readers the first one: what it reads comes before it.
      int next = -1;
      for (const int i : open) {
        if (is_output_[OutputOf(i)] || consumers_[OutputOf(i)].empty())
          return {};
        for (const int reader : consumers_[OutputOf(i)]) {
          const bool is_known =
              std::find(region.begin(), region.end(), reader) != region.end();
          if (!is_known && (next < 0 || reader < next)) next = reader;
        }
      }
      if (next < 0 || !MayJoin(next, node)) return {};
      region.push_back(next);
      open.push_back(next);
      std::erase_if(open, [&](int i) {
        const std::vector<int>& readers = consumers_[OutputOf(i)];
        return i != next &&
               std::all_of(readers.begin(), readers.end(), [&](int reader) {
                 return std::find(region.begin(), region.end(), reader) !=
                        region.end();
               });
      });
      if (open.size() == 1) return region;
      if (region.size() > kMaxExpressionNodes) return {};
    }
  }

  bool MayJoin(int node, int first) const {
    return ClassOf(node) == OperatorClass::kElementwise &&
           group_of_[node] < 0 &&
           graph_.ShapeOf(OutputOf(node)) == graph_.ShapeOf(OutputOf(first));
  }

  // Whether the expression of the last node of both is of a size that pays.
  bool Fits(const std::vector<int>& group, const std::vector<int>& more) const {
    std::vector<int> nodes = group;
    nodes.insert(nodes.end(), more.begin(), more.end());
    std::vector<int64_t> sizes;
    for (size_t i = 0; i < nodes.size(); ++i) {
      int64_t size = 1;
      for (const TensorId input : graph_.nodes[nodes[i]].inputs) {
        for (size_t j = 0; j < i; ++j) {
          if (OutputOf(nodes[j]) == input) size += sizes[j];
        }
      }
      sizes.push_back(std::min(size, kMaxExpressionNodes + 1));
    }
    return sizes.back() <= kMaxExpressionNodes;
  }

  // A group without an anchor becomes a part of the one elementwise node that
  // reads its result: a kernel and a tensor less.
  void JoinReader(int group) {
    std::vector<int>& nodes = groups_[group];
    const TensorId output = OutputOf(nodes.back());
    if (ClassOf(nodes[0]) == OperatorClass::kAnchor || is_output_[output] ||
        consumers_[output].size() != 1) {
      return;
    }
    const int reader = consumers_[output][0];
    if (ClassOf(reader) != OperatorClass::kElementwise ||
        graph_.ShapeOf(OutputOf(reader)) != graph_.ShapeOf(output)) {
      return;
    }
    const int joined = group_of_[reader];
    std::vector<int> all = nodes;
    all.insert(all.end(), groups_[joined].begin(), groups_[joined].end());
    Canonicalize(all);
    if (!Fits(all, {})) return;
    for (const int node : nodes) group_of_[node] = joined;
    groups_[joined] = std::move(all);
    nodes.clear();
  }

  // The anchor first; nodes of its group do not depend on others than it.
  void Canonicalize(std::vector<int>& nodes) const {
    std::sort(nodes.begin(), nodes.end());
    const auto anchor = std::find_if(nodes.begin(), nodes.end(), [&](int node) {
      return ClassOf(node) == OperatorClass::kAnchor;
    });
    if (anchor != nodes.end()) std::rotate(nodes.begin(), anchor, anchor + 1);
  }

  // By their last nodes. What a group reads is computed by an earlier one: a
  // tensor that leaves its group is the output of the group's last node, which
  // comes before its reader, and so before the last node of the reader's group.
  std::vector<std::vector<int>> Ordered() {
    std::erase_if(groups_, [](const auto& nodes) { return nodes.empty(); });
    std::sort(groups_.begin(), groups_.end(),
              [](const auto& a, const auto& b) { return a.back() < b.back(); });
    return std::move(groups_);
  }

  const OperatorGraph& graph_;
  const std::vector<std::vector<int>> consumers_;
  const std::vector<bool> is_output_;
  std::vector<int> group_of_;
  std::vector<std::vector<int>> groups_;
};

}  // namespace

std::vector<std::vector<int>> GroupNodes(const OperatorGraph& graph) {
  return Grouper(graph).Run();
}

}  // namespace pruner
