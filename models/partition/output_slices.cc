#include "models/partition/output_slices.h"

#include <cstdint>
#include <map>
#include <variant>
#include <vector>

#include "absl/types/span.h"
#include "models/operators/operators.h"
#include "models/operators/shape.h"

namespace pruner {
namespace {

class SliceFinder {
 public:
  SliceFinder(const OperatorGraph& graph,
              const std::vector<std::vector<int>>& groups)
      : graph_(graph),
        consumers_(Consumers(graph)),
        is_output_(OutputMask(graph)) {
    for (const std::vector<int>& nodes : groups)
      first_node_[graph.nodes[nodes.back()].output] = nodes[0];
  }

  // Adds those of the node's inputs if it is a concatenation and all are some.
  void Add(int node, std::map<TensorId, OutputSlice>& slices) const {
    const Node& join = graph_.nodes[node];
    const auto* const concat = std::get_if<Concat>(&join.op);
    if (concat == nullptr) return;
    const Shape& whole = graph_.ShapeOf(join.output);
    const auto extents = absl::MakeConstSpan(whole);
    const bool is_in_one_piece = NumElements(extents.first(concat->axis)) == 1;
    const bool is_of_channels =
        concat->axis + 1 == static_cast<int64_t>(whole.size());
    std::map<TensorId, OutputSlice> found;
    int64_t offset = 0;
    for (const TensorId input : join.inputs) {
      const int64_t offset_bytes = offset * BytesOf(graph_.TypeOf(join.output));
      if (offset_bytes % kSliceAlignment != 0 || !IsWrittenForOne(input) ||
          !(is_in_one_piece ||
            (is_of_channels && HasChannelLoops(FirstOperator(input))))) {
        return;
      }
      OutputSlice slice = {.whole = join.output, .offset = offset, .rows = {}};
      const Shape& shape = graph_.ShapeOf(input);
      if (!is_in_one_piece)
        slice.rows = {.length = shape.back(), .pitch = whole.back()};
      // One that is there twice is written once.
      if (!found.emplace(input, slice).second) return;
      offset += is_in_one_piece ? NumElements(shape) : shape.back();
    }
    slices.merge(found);
  }

 private:
  // Whether a kernel computes it, surely one that is left, and one node reads
  // it.
  bool IsWrittenForOne(TensorId tensor) const {
    return first_node_.contains(tensor) && !is_output_[tensor] &&
           consumers_[tensor].size() == 1 &&
           !std::holds_alternative<Concat>(FirstOperator(tensor));
  }

  // Of the kernel that computes it.
  const Operator& FirstOperator(TensorId tensor) const {
    return graph_.nodes[first_node_.at(tensor)].op;
  }

  const OperatorGraph& graph_;
  const std::vector<std::vector<int>> consumers_;
  const std::vector<bool> is_output_;
  std::map<TensorId, int> first_node_;  // of the group, by its output
};

}  // namespace

bool HasChannelLoops(const Operator& op) {
  const OperatorKind& kind = KindOf(op);
  return kind.operator_class == OperatorClass::kElementwise ||
         kind.has_channel_loops;
}

std::map<TensorId, OutputSlice> FindSlices(
    const OperatorGraph& graph, const std::vector<std::vector<int>>& groups) {
  const SliceFinder finder(graph, groups);
  std::map<TensorId, OutputSlice> slices;
  for (const std::vector<int>& nodes : groups) {
    if (nodes.size() == 1) finder.Add(nodes[0], slices);
  }
  return slices;
}

}  // namespace pruner
