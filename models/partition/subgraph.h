// What one kernel computes.
#ifndef MODELS_PARTITION_SUBGRAPH_H_
#define MODELS_PARTITION_SUBGRAPH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/graph/operator_graph.h"
#include "models/partition/subgraph.pb.h"

namespace pruner {

// Operators apart from any network: an anchor (a convolution, a matrix product,
// a pooling, a softmax) and the elementwise operators applied to its result, or
// elementwise operators alone. Canonical: names are "in<i>" and "op<i>" in
// order, inputs are numbered in the order in which they are first read, what
// the subgraph computes is the left operand of an Add of that and an input. Two
// subgraphs therefore
// compute the same on the same shapes if (and, as a rule, only if) they are
// equal, and then share one tuning task.
struct Subgraph {
  // The network's tensors that it reads are inputs, its constants among them: a
  // kernel is the same whatever the weights are. One output, that of the last
  // node.
  OperatorGraph body;
  // Ascending indices into body.inputs of those that are constants of the
  // network: their layout may be chosen freely.
  std::vector<int> constant_inputs;

  bool operator==(const Subgraph&) const = default;
};

// The subgraph of `nodes` (indices into graph.nodes as GroupNodes has them) and
// which tensors of the graph its inputs are. The graph is valid.
struct ExtractedSubgraph {
  Subgraph subgraph;
  std::vector<TensorId>
      inputs;  // of `graph`, in the order of subgraph.body.inputs
};
ExtractedSubgraph ExtractSubgraph(const OperatorGraph& graph,
                                  absl::Span<const int> nodes);

// A hash of the subgraph; the same for equal ones, in every run and on every
// machine.
uint64_t SubgraphHash(const Subgraph& subgraph);

// One line for people, not unique: "Conv2d+BiasAdd+Add+Relu {1, 56, 56, 64} {1,
// 1, 64, 256} -> {1, 56, 56, 256}"; the shapes are those of the first node's
// inputs and of the output.
std::string SubgraphSummary(const Subgraph& subgraph);

// Stored forms, like those of an OperatorGraph (models/graph/graph_text.h).
// InvalidArgument unless the body is valid, has one output and no constants,
// and constant_inputs ascend within its inputs.
proto::Subgraph SubgraphToProto(const Subgraph& subgraph);
absl::StatusOr<Subgraph> SubgraphFromProto(const proto::Subgraph& proto);
std::string PrintSubgraph(const Subgraph& subgraph);
absl::StatusOr<Subgraph> ParseSubgraph(absl::string_view text);

}  // namespace pruner

#endif  // MODELS_PARTITION_SUBGRAPH_H_
