// The stored forms of an OperatorGraph: protocol buffer and its text.
#ifndef MODELS_GRAPH_GRAPH_TEXT_H_
#define MODELS_GRAPH_GRAPH_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/graph/operator_graph.h"
#include "models/graph/operator_graph.pb.h"

namespace pruner {

proto::DataType TypeToProto(DataType type);
proto::OperatorGraph GraphToProto(const OperatorGraph& graph);

// InvalidArgument naming the node, input or constant and its field. The graph's
// tensors are numbered inputs first, then constants, then nodes.
absl::StatusOr<OperatorGraph> GraphFromProto(const proto::OperatorGraph& proto);

// Text of proto::OperatorGraph. Parsing it gives a graph that prints the same;
// errors of syntax name line and column.
std::string PrintGraph(const OperatorGraph& graph);
absl::StatusOr<OperatorGraph> ParseGraph(absl::string_view text);

}  // namespace pruner

#endif  // MODELS_GRAPH_GRAPH_TEXT_H_
