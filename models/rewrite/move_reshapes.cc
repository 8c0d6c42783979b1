#include "models/rewrite/move_reshapes.h"

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "models/operators/operators.h"
#include "models/rewrite/graph_copier.h"

namespace pruner {
namespace {

class Mover {
 public:
  explicit Mover(const OperatorGraph& graph)
      : graph_(graph),
        producers_(Producers(graph)),
        consumers_(Consumers(graph)),
        is_output_(OutputMask(graph)),
        copier_(graph) {}

  absl::StatusOr<OperatorGraph> Run() && {
    std::vector<int> reshapes;  // of each node; -1: it stays where it is
    std::vector<bool> moves(graph_.nodes.size(), false);
    for (const Node& node : graph_.nodes) {
      reshapes.push_back(ReshapeBefore(node));
      if (reshapes.back() >= 0) moves[reshapes.back()] = true;
    }
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      // What moves itself cannot be what others move behind.
      if (reshapes[i] >= 0) {
        Exchange(graph_.nodes[reshapes[i]], graph_.nodes[i]);
      } else if (!moves[i]) {
        copier_.CopyNode(graph_.nodes[i]);
      }
    }
    return std::move(copier_).Finish();
  }

 private:
  // The values are one number.
  bool IsScalar(TensorId tensor) const {
    const auto constant = graph_.constants.find(tensor);
    return constant != graph_.constants.end() &&
           constant->second.channel_factor.empty() &&
           constant->second.channel_offset.empty() &&
           NumElements(graph_.ShapeOf(tensor)) == 1;
  }

  // The node of the reshape that goes behind this one.
  int ReshapeBefore(const Node& node) const {
    if (KindOf(node.op).operator_class != OperatorClass::kElementwise)
      return -1;
    TensorId reshaped = kNoTensor;
    for (const TensorId input : node.inputs) {
      if (IsScalar(input)) continue;
      if (reshaped != kNoTensor) return -1;
      reshaped = input;
    }
    if (reshaped == kNoTensor || producers_[reshaped] < 0 ||
        consumers_[reshaped].size() != 1 || is_output_[reshaped] ||
        graph_.ShapeOf(reshaped) != graph_.ShapeOf(node.output)) {
      return -1;
    }
    const int producer = producers_[reshaped];
    return std::holds_alternative<Reshape>(graph_.nodes[producer].op) ? producer
                                                                      : -1;
  }

  // Without dimensions: it shall not give the other operand more.
  TensorId Scalar(TensorId tensor) {
    if (graph_.ShapeOf(tensor).empty()) return copier_.Copy(tensor);
    return copier_.builder().Constant(
        copier_.FreshName(absl::StrCat(graph_.tensors[tensor].name, "/scalar")),
        {}, graph_.constants.at(tensor), graph_.TypeOf(tensor));
  }

  void Exchange(const Node& reshape, const Node& node) {
    std::vector<TensorId> inputs;
    for (const TensorId input : node.inputs) {
      inputs.push_back(input == reshape.output ? copier_.Copy(reshape.inputs[0])
                                               : Scalar(input));
    }
    const std::string& name = graph_.NameOf(node);
    const TensorId result = copier_.builder().Apply(
        copier_.FreshName(absl::StrCat(name, "'")), node.op, inputs);
    copier_.Replace(node.output,
                    copier_.builder().Apply(name, reshape.op, {result}));
  }

  const OperatorGraph& graph_;
  const std::vector<int> producers_;
  const std::vector<std::vector<int>> consumers_;
  const std::vector<bool> is_output_;
  GraphCopier copier_;
};

}  // namespace

absl::StatusOr<OperatorGraph> MoveReshapes(const OperatorGraph& graph) {
  return Mover(graph).Run();
}

}  // namespace pruner
