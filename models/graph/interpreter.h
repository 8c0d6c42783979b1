// Executes a graph by the reference definitions of its operators.
#ifndef MODELS_GRAPH_INTERPRETER_H_
#define MODELS_GRAPH_INTERPRETER_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/graph/operator_graph.h"
#include "models/operators/operators.h"

namespace pruner {

struct InterpreterOptions {
  int threads = 1;
  // Outputs of the graph are rounded to float, and so they are read by the
  // nodes that come: as who writes them to memory reads them.
  bool round_outputs = false;
};

// The graph's outputs, in the order of graph.outputs, for inputs in the order
// of graph.inputs. InvalidArgument if their number, a shape or a number of
// values differs from what the graph declares. The graph is valid. A
// tensor is freed after its last reader. ResNet-50 takes some seconds.
absl::StatusOr<std::vector<Array>> RunGraph(
    const OperatorGraph& graph, absl::Span<const Array> inputs,
    const InterpreterOptions& options = {});

// Reproducible inputs for the graph: uniform in [-1, 1), rounded to float;
// whole numbers from 0 to 7, which are the first entries of most tables; bools.
std::vector<Array> RandomInputs(const OperatorGraph& graph, uint64_t seed);

// The largest |a - b| over all elements, divided by the largest |b|; the
// measure by which two ways to compute a tensor are compared. Shapes are equal.
double RelativeDifference(const Array& a, const Array& b);

}  // namespace pruner

#endif  // MODELS_GRAPH_INTERPRETER_H_
