// Cuts a network into the subgraphs that become kernels.
#ifndef MODELS_PARTITION_PARTITION_H_
#define MODELS_PARTITION_PARTITION_H_

#include <vector>

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/partition/output_slices.h"
#include "models/partition/subgraph.h"

namespace pruner {

// One subgraph at its place in the network.
struct SubgraphInstance {
  int subgraph = -1;       // index into PartitionResult::subgraphs
  std::vector<int> nodes;  // indices into graph.nodes; see GroupNodes
  std::vector<TensorId>
      inputs;            // of the graph, in the order of the subgraph's inputs
  TensorId output = -1;  // of the graph
  // Where it writes: the output itself, or a part of the one tensor that is
  // made of it (PartitionResult::joins).
  OutputSlice destination;
};

// A subgraph that occurs `count` times: the weight of its tuning task.
struct UniqueSubgraph {
  Subgraph subgraph;
  int count = 0;
};

// Every node of the graph is in exactly one instance, or a view or a join.
struct PartitionResult {
  std::vector<SubgraphInstance>
      instances;  // in an order in which they can be executed
  std::vector<UniqueSubgraph>
      subgraphs;  // distinct, in the order of their first instance
  std::vector<int>
      views;  // nodes without work: their output is their input's bytes
  // Nodes without work: instances write their inputs into slices of their
  // output.
  std::vector<int> joins;
  // For every tensor the one whose bytes it is: through all views up to an
  // input, a constant, a join or the output of an instance or (for tensors
  // inside a subgraph, which are not stored, and for slices, which nobody
  // reads) itself.
  std::vector<TensorId> storage;
};

// Fuses as Relay does for Ansor (Zheng et al. 2020, §3): an anchor, and an
// elementwise operator that finds no place, begins a subgraph. It is joined by
// the elementwise operators that read its result, up to the first one through
// which all of it flows (its post-dominator), if that result is not an output
// of the graph and theirs have its shape; and so on from there. An operator
// between two anchors joins the later one. Elementwise operators without an
// anchor then join the elementwise operator that reads their result, if it is
// the only one and has the same shape. No subgraph's expression has more than
// 64 operators, one that is read twice counted twice (ours). Reshape and
// Identity are views; FindSlices says which concatenations are joins.
// InvalidArgument if the graph is not valid.
absl::StatusOr<PartitionResult> PartitionGraph(const OperatorGraph& graph);

}  // namespace pruner

#endif  // MODELS_PARTITION_PARTITION_H_
