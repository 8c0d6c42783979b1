#include "models/zoo/testing.h"

#include <cmath>
#include <variant>
#include <vector>

#include "gtest/gtest.h"
#include "models/graph/interpreter.h"

namespace pruner {
namespace {

template <typename... Kinds>
bool IsOneOf(const Operator& op) {
  return (std::holds_alternative<Kinds>(op) || ...);
}

double RootMeanSquare(const std::vector<double>& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

}  // namespace

int64_t CountParameters(const OperatorGraph& graph) {
  int64_t parameters = 0;
  for (const auto& [tensor, data] : graph.constants) {
    if (!std::holds_alternative<RandomValues>(data.source)) continue;
    parameters += NumElements(graph.ShapeOf(tensor));
  }
  for (const Node& node : graph.nodes) {
    if (IsOneOf<BatchNorm>(node.op)) {
      parameters -= 2 * graph.ShapeOf(node.output).back();
    }
  }
  return parameters;
}

double CountMultiplyAdds(const OperatorGraph& graph) {
  double flops = 0;
  for (const Node& node : graph.nodes) {
    if (IsOneOf<Conv2d, Conv3d, ConvTranspose2d, Dense, MatMul>(node.op)) {
      flops += NodeFlops(graph, node);
    }
  }
  return flops / 2;
}

void ExpectActivationsInRange(const OperatorGraph& graph) {
  OperatorGraph probed = graph;
  for (const Node& node : probed.nodes) {
    if (IsOneOf<Gelu, MatMul, Relu, Relu6>(node.op))
      probed.outputs.push_back(node.output);
  }
  const absl::StatusOr<std::vector<Array>> activations =
      RunGraph(probed, RandomInputs(probed, 1), {.threads = 2});
  ASSERT_TRUE(activations.ok()) << activations.status();
  for (size_t i = 0; i < activations->size(); ++i) {
    const double rms = RootMeanSquare((*activations)[i].values);
    EXPECT_GT(rms, 0.05) << probed.tensors[probed.outputs[i]].name;
    EXPECT_LT(rms, 20) << probed.tensors[probed.outputs[i]].name;
  }
}

}  // namespace pruner
