// How far rounding goes where values do not.
#ifndef MODELS_RUNTIME_ERROR_SCALE_H_
#define MODELS_RUNTIME_ERROR_SCALE_H_

#include <vector>

#include "absl/types/span.h"
#include "models/graph/operator_graph.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// Which tensors that some of these nodes, indices into graph.nodes, compute are
// read by others of them whose results have a bounded range, such as a sigmoid:
// a sum in the hundreds is rounded as such, and what comes of it is below 1.
// Distinct, in the order of the nodes.
std::vector<TensorId> OperandsOfBounded(const OperatorGraph& graph,
                                        absl::Span<const int> nodes);

// By which a tolerance relative to the output's largest value grows if these
// were on the way to it: at least 1.
double ErrorScale(const Array& output, absl::Span<const Array> operands);

}  // namespace pruner

#endif  // MODELS_RUNTIME_ERROR_SCALE_H_
