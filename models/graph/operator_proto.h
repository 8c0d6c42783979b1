// An operator to and from the `op` of a stored node.
#ifndef MODELS_GRAPH_OPERATOR_PROTO_H_
#define MODELS_GRAPH_OPERATOR_PROTO_H_

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.pb.h"
#include "models/operators/operators.h"

namespace pruner {

// Sets the node's `op`.
void OperatorToProto(const Operator& op, proto::Node& node);

// Reads the node's `op`; InvalidArgument naming the node if there is none.
// Values are checked when the operator meets its inputs (InferShape).
absl::StatusOr<Operator> OperatorFromProto(const proto::Node& node);

}  // namespace pruner

#endif  // MODELS_GRAPH_OPERATOR_PROTO_H_
