// A network: operators over tensors of static shape.
#ifndef MODELS_GRAPH_OPERATOR_GRAPH_H_
#define MODELS_GRAPH_OPERATOR_GRAPH_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "models/graph/constant.h"
#include "models/operators/data_type.h"
#include "models/operators/operators.h"
#include "models/operators/shape.h"

namespace pruner {

// Index into OperatorGraph::tensors.
using TensorId = int;

// Row-major, outermost extent first.
struct Tensor {
  std::string name;  // not empty, unique within the graph
  Shape shape;
  DataType type = DataType::kFloat32;
  bool operator==(const Tensor&) const = default;
};

// A node is named by the tensor it computes.
struct Node {
  Operator op;
  std::vector<TensorId> inputs;  // in the order of the kind's roles
  TensorId output = -1;
  bool operator==(const Node&) const = default;
};

// Plain data. What GraphBuilder builds, and only that, satisfies Validate:
// every tensor is exactly one of an input, a constant and the output of one
// node; nodes are in topological order; there is at least one output.
struct OperatorGraph {
  std::string name;
  std::vector<Tensor> tensors;
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;  // distinct
  std::map<TensorId, ConstantData> constants;
  std::vector<Node> nodes;

  const std::string& NameOf(const Node& node) const {
    return tensors[node.output].name;
  }
  const Shape& ShapeOf(TensorId tensor) const { return tensors[tensor].shape; }
  DataType TypeOf(TensorId tensor) const { return tensors[tensor].type; }

  bool operator==(const OperatorGraph&) const = default;
};

// InvalidArgument naming the first node or tensor that breaks a rule.
absl::Status Validate(const OperatorGraph& graph);

// In memory.
int64_t TensorBytes(const OperatorGraph& graph, TensorId tensor);

// The shapes of the node's inputs.
std::vector<Shape> InputShapes(const OperatorGraph& graph, const Node& node);

// Operations of one node, and of one execution of the graph; see CountFlops.
double NodeFlops(const OperatorGraph& graph, const Node& node);
double GraphFlops(const OperatorGraph& graph);

// For every tensor the nodes that read it, as ascending indices into
// graph.nodes; a node that reads it twice counts once.
std::vector<std::vector<int>> Consumers(const OperatorGraph& graph);

// For every tensor the index of the node that computes it; -1 for inputs and
// constants.
std::vector<int> Producers(const OperatorGraph& graph);

// Whether each tensor is an output of the graph.
std::vector<bool> OutputMask(const OperatorGraph& graph);

// A hash of the structure: operators, connections and shapes. Names and the
// values of constants do not matter, the order of nodes, inputs and outputs
// does. Stable across runs and machines.
uint64_t StructureHash(const OperatorGraph& graph);

}  // namespace pruner

#endif  // MODELS_GRAPH_OPERATOR_GRAPH_H_
