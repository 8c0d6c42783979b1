#include "models/rewrite/graph_copier.h"

#include <utility>

namespace pruner {

GraphCopier::GraphCopier(const OperatorGraph& from)
    : from_(from),
      builder_(from.name),
      copies_(from.tensors.size(), kNoTensor) {
  for (const Tensor& tensor : from.tensors) names_.insert(tensor.name);
  for (const TensorId input : from.inputs) {
    copies_[input] = builder_.Input(from.tensors[input].name,
                                    from.ShapeOf(input), from.TypeOf(input));
  }
}

TensorId GraphCopier::Copy(TensorId tensor) {
  TensorId& copy = copies_[tensor];
  const auto constant = from_.constants.find(tensor);
  if (copy == kNoTensor && constant != from_.constants.end()) {
    copy = builder_.Constant(from_.tensors[tensor].name, from_.ShapeOf(tensor),
                             constant->second, from_.TypeOf(tensor));
  }
  return copy;
}

void GraphCopier::CopyNode(const Node& node, absl::string_view name) {
  std::vector<TensorId> inputs;
  for (const TensorId input : node.inputs) inputs.push_back(Copy(input));
  Replace(node.output, builder_.Apply(name, node.op, inputs));
}

std::string GraphCopier::FreshName(absl::string_view stem) {
  std::string name(stem);
  while (!names_.insert(name).second) name += '\'';
  return name;
}

absl::StatusOr<OperatorGraph> GraphCopier::Finish() && {
  for (const TensorId output : from_.outputs) builder_.Output(Copy(output));
  return std::move(builder_).Build();
}

}  // namespace pruner
