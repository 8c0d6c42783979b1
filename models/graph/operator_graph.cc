#include "models/graph/operator_graph.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/graph/graph_builder.h"
#include "models/operators/operators.h"
#include "pruner/base/hash.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::Status Broken(const OperatorGraph& graph, const std::string& what) {
  return absl::InvalidArgumentError(
      absl::StrCat("graph \"", graph.name, "\": ", what));
}

bool IsTensor(const OperatorGraph& graph, TensorId tensor) {
  return tensor >= 0 && tensor < static_cast<TensorId>(graph.tensors.size());
}

// Every id that occurs is an index of a tensor.
absl::Status CheckIds(const OperatorGraph& graph) {
  std::vector<TensorId> ids = graph.inputs;
  ids.insert(ids.end(), graph.outputs.begin(), graph.outputs.end());
  for (const auto& [tensor, data] : graph.constants) ids.push_back(tensor);
  for (const Node& node : graph.nodes) {
    ids.insert(ids.end(), node.inputs.begin(), node.inputs.end());
    ids.push_back(node.output);
  }
  for (const TensorId id : ids) {
    if (!IsTensor(graph, id)) {
      return Broken(graph, absl::StrCat("there is no tensor number ", id));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Validate(const OperatorGraph& graph) {
  RETURN_IF_ERROR(CheckIds(graph));
  // The builder knows the rules: what it accepts piece by piece is valid.
  GraphBuilder builder(graph.name);
  std::vector<TensorId> copy(graph.tensors.size(), kNoTensor);
  const auto define = [&](TensorId tensor, TensorId built) -> absl::Status {
    RETURN_IF_ERROR(builder.status());
    if (copy[tensor] != kNoTensor) {
      return Broken(graph, absl::StrCat("tensor \"", graph.tensors[tensor].name,
                                        "\" is defined twice"));
    }
    copy[tensor] = built;
    if (builder.TypeOf(built) != graph.TypeOf(tensor)) {
      return Broken(
          graph, absl::StrCat("tensor \"", graph.tensors[tensor].name, "\" is ",
                              DataTypeName(graph.TypeOf(tensor)),
                              ", its node computes ",
                              DataTypeName(builder.TypeOf(built))));
    }
    if (builder.ShapeOf(built) == graph.ShapeOf(tensor))
      return absl::OkStatus();
    return Broken(
        graph,
        absl::StrCat("tensor \"", graph.tensors[tensor].name, "\" has shape ",
                     ShapeText(graph.ShapeOf(tensor)), ", its node computes ",
                     ShapeText(builder.ShapeOf(built))));
  };
  for (const TensorId input : graph.inputs) {
    const Tensor& tensor = graph.tensors[input];
    RETURN_IF_ERROR(
        define(input, builder.Input(tensor.name, tensor.shape, tensor.type)));
  }
  for (const auto& [constant, data] : graph.constants) {
    const Tensor& tensor = graph.tensors[constant];
    RETURN_IF_ERROR(define(constant, builder.Constant(tensor.name, tensor.shape,
                                                      data, tensor.type)));
  }
  for (const Node& node : graph.nodes) {
    std::vector<TensorId> inputs;
    for (const TensorId input : node.inputs) inputs.push_back(copy[input]);
    RETURN_IF_ERROR(define(node.output,
                           builder.Apply(graph.NameOf(node), node.op, inputs)));
  }
  for (const TensorId output : graph.outputs) builder.Output(copy[output]);
  for (size_t tensor = 0; tensor < copy.size(); ++tensor) {
    if (copy[tensor] == kNoTensor) {
      return Broken(
          graph, absl::StrCat("tensor \"", graph.tensors[tensor].name,
                              "\" is neither an input nor a constant nor the "
                              "output of a node"));
    }
  }
  return std::move(builder).Build().status();
}

int64_t TensorBytes(const OperatorGraph& graph, TensorId tensor) {
  return NumElements(graph.ShapeOf(tensor)) * BytesOf(graph.TypeOf(tensor));
}

std::vector<Shape> InputShapes(const OperatorGraph& graph, const Node& node) {
  std::vector<Shape> shapes;
  for (const TensorId input : node.inputs)
    shapes.push_back(graph.ShapeOf(input));
  return shapes;
}

double NodeFlops(const OperatorGraph& graph, const Node& node) {
  return CountFlops(node.op, InputShapes(graph, node),
                    graph.ShapeOf(node.output));
}

double GraphFlops(const OperatorGraph& graph) {
  double flops = 0;
  for (const Node& node : graph.nodes) flops += NodeFlops(graph, node);
  return flops;
}

std::vector<std::vector<int>> Consumers(const OperatorGraph& graph) {
  std::vector<std::vector<int>> consumers(graph.tensors.size());
  for (int i = 0; i < static_cast<int>(graph.nodes.size()); ++i) {
    for (const TensorId input : graph.nodes[i].inputs) {
      std::vector<int>& readers = consumers[input];
      if (readers.empty() || readers.back() != i) readers.push_back(i);
    }
  }
  return consumers;
}

std::vector<int> Producers(const OperatorGraph& graph) {
  std::vector<int> producers(graph.tensors.size(), -1);
  for (int i = 0; i < static_cast<int>(graph.nodes.size()); ++i) {
    producers[graph.nodes[i].output] = i;
  }
  return producers;
}

std::vector<bool> OutputMask(const OperatorGraph& graph) {
  std::vector<bool> mask(graph.tensors.size(), false);
  for (const TensorId output : graph.outputs) mask[output] = true;
  return mask;
}

uint64_t StructureHash(const OperatorGraph& graph) {
  // Tensors are numbered in the order in which they are met; constants when
  // first read.
  std::vector<int> number(graph.tensors.size(), -1);
  int next = 0;
  std::string text;
  const auto meet = [&](TensorId tensor, absl::string_view what) {
    if (number[tensor] >= 0) return;
    number[tensor] = next++;
    absl::StrAppend(&text, what, number[tensor],
                    ShapeText(graph.ShapeOf(tensor)), "\n");
    // What was hashed before there were types stays as it was.
    if (graph.TypeOf(tensor) != DataType::kFloat32)
      absl::StrAppend(&text, DataTypeName(graph.TypeOf(tensor)), "\n");
  };
  for (const TensorId input : graph.inputs) meet(input, "input ");
  for (const Node& node : graph.nodes) {
    for (const TensorId input : node.inputs) meet(input, "constant ");
    absl::StrAppend(&text, OperatorText(node.op));
    for (const TensorId input : node.inputs) {
      absl::StrAppend(&text, " ", number[input]);
    }
    meet(node.output, " = ");
  }
  for (const TensorId output : graph.outputs) {
    meet(output, "constant ");
    absl::StrAppend(&text, "output ", number[output], "\n");
  }
  return Fingerprint(text);
}

}  // namespace pruner
