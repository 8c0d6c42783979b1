#include "models/graph/interpreter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::Status CheckInputs(const OperatorGraph& graph,
                         absl::Span<const Array> inputs) {
  if (inputs.size() != graph.inputs.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("graph \"", graph.name, "\" takes ", graph.inputs.size(),
                     " inputs, not ", inputs.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& tensor = graph.tensors[graph.inputs[i]];
    const auto values = static_cast<int64_t>(inputs[i].values.size());
    if (inputs[i].shape == tensor.shape && values == NumElements(tensor.shape))
      continue;
    return absl::InvalidArgumentError(
        absl::StrCat("input \"", tensor.name, "\" of graph \"", graph.name,
                     "\" has shape ", ShapeText(tensor.shape), "; given are ",
                     values, " values of shape ", ShapeText(inputs[i].shape)));
  }
  return absl::OkStatus();
}

// For every tensor the index of the last node that reads it; -1 if none does,
// and the number of nodes for outputs of the graph.
std::vector<int> LastReaders(const OperatorGraph& graph) {
  std::vector<int> last(graph.tensors.size(), -1);
  for (int i = 0; i < static_cast<int>(graph.nodes.size()); ++i) {
    for (const TensorId input : graph.nodes[i].inputs) last[input] = i;
  }
  for (const TensorId output : graph.outputs) {
    last[output] = static_cast<int>(graph.nodes.size());
  }
  return last;
}

// The tensors alive during a run.
class Store {
 public:
  Store(const OperatorGraph& graph, absl::Span<const Array> inputs)
      : graph_(graph), values_(graph.tensors.size()) {
    for (size_t i = 0; i < inputs.size(); ++i)
      values_[graph.inputs[i]] = inputs[i];
  }

  // Constants come to life when first read.
  const Array& Get(TensorId tensor) {
    std::optional<Array>& value = values_[tensor];
    if (!value.has_value()) {
      const Shape& shape = graph_.ShapeOf(tensor);
      const auto constant = graph_.constants.find(tensor);
      CHECK(constant != graph_.constants.end()) << graph_.tensors[tensor].name;
      value = Array{shape, MaterializeConstant(constant->second, shape)};
    }
    return *value;
  }
  void Set(TensorId tensor, Array value) { values_[tensor] = std::move(value); }
  void Free(TensorId tensor) { values_[tensor].reset(); }

 private:
  const OperatorGraph& graph_;
  std::vector<std::optional<Array>> values_;
};

}  // namespace

absl::StatusOr<std::vector<Array>> RunGraph(const OperatorGraph& graph,
                                            absl::Span<const Array> inputs,
                                            const InterpreterOptions& options) {
  RETURN_IF_ERROR(CheckInputs(graph, inputs));
  const std::vector<int> last_reader = LastReaders(graph);
  Store store(graph, inputs);
  for (int i = 0; i < static_cast<int>(graph.nodes.size()); ++i) {
    const Node& node = graph.nodes[i];
    std::vector<const Array*> arguments;
    for (const TensorId input : node.inputs)
      arguments.push_back(&store.Get(input));
    Array result =
        EvaluateOperator(node.op, arguments, graph.ShapeOf(node.output),
                         std::max(options.threads, 1));
    const bool is_output =
        last_reader[node.output] == static_cast<int>(graph.nodes.size());
    if (options.round_outputs && is_output &&
        graph.TypeOf(node.output) == DataType::kFloat32) {
      for (double& value : result.values) value = static_cast<float>(value);
    }
    store.Set(node.output, std::move(result));
    for (const TensorId input : node.inputs) {
      if (last_reader[input] == i) store.Free(input);
    }
    if (last_reader[node.output] < 0) store.Free(node.output);
  }
  std::vector<Array> outputs;
  for (const TensorId output : graph.outputs)
    outputs.push_back(store.Get(output));
  return outputs;
}

std::vector<Array> RandomInputs(const OperatorGraph& graph, uint64_t seed) {
  std::vector<Array> inputs;
  for (const TensorId input : graph.inputs) {
    const Shape& shape = graph.ShapeOf(input);
    const ConstantData data{RandomValues{.seed = seed++, .low = -1, .high = 1}};
    inputs.push_back({shape, MaterializeConstant(data, shape)});
    const DataType type = graph.TypeOf(input);
    if (type == DataType::kFloat32) continue;
    for (double& value : inputs.back().values)
      value = std::floor(type == DataType::kBool ? value + 1 : 4 * value + 4);
  }
  return inputs;
}

double RelativeDifference(const Array& a, const Array& b) {
  CHECK(a.shape == b.shape);
  double difference = 0;
  double magnitude = 0;
  for (size_t i = 0; i < a.values.size(); ++i) {
    const double distance = std::abs(a.values[i] - b.values[i]);
    if (!std::isfinite(distance))
      return std::numeric_limits<double>::infinity();
    difference = std::max(difference, distance);
    magnitude = std::max(magnitude, std::abs(b.values[i]));
  }
  return difference == 0 ? 0 : difference / magnitude;
}

}  // namespace pruner
