#include "models/partition/subgraph.h"

#include <map>
#include <set>
#include <utility>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "models/graph/graph_builder.h"
#include "models/graph/graph_text.h"
#include "models/graph/text_proto.h"
#include "pruner/base/hash.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::Status CheckSubgraph(const Subgraph& subgraph) {
  const OperatorGraph& body = subgraph.body;
  if (body.outputs.size() != 1 || !body.constants.empty() ||
      body.nodes.empty() || body.outputs[0] != body.nodes.back().output) {
    return absl::InvalidArgumentError(
        "a subgraph's body must have no constants and one output, that of its "
        "last node");
  }
  int previous = -1;
  for (const int input : subgraph.constant_inputs) {
    if (input <= previous || input >= static_cast<int>(body.inputs.size())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "constant_inputs must ascend within the ", body.inputs.size(),
          " inputs of the body; ", input, " does not"));
    }
    previous = input;
  }
  return absl::OkStatus();
}

// Addition commutes: what was computed before goes left.
std::vector<TensorId> CanonicalOperands(const Node& node,
                                        const std::set<TensorId>& computed) {
  std::vector<TensorId> operands = node.inputs;
  if (std::holds_alternative<Add>(node.op) && computed.contains(operands[1]) &&
      !computed.contains(operands[0])) {
    std::swap(operands[0], operands[1]);
  }
  return operands;
}

}  // namespace

ExtractedSubgraph ExtractSubgraph(const OperatorGraph& graph,
                                  absl::Span<const int> nodes) {
  // Which tensors are read from outside, in the order of their first reader.
  ExtractedSubgraph extracted;
  std::vector<std::vector<TensorId>> operands;
  std::map<TensorId, TensorId> built;
  std::set<TensorId> computed;
  for (const int i : nodes) {
    const Node& node = graph.nodes[i];
    operands.push_back(CanonicalOperands(node, computed));
    for (const TensorId input : operands.back()) {
      if (computed.contains(input) || !built.emplace(input, kNoTensor).second)
        continue;
      extracted.inputs.push_back(input);
    }
    computed.insert(node.output);
  }
  GraphBuilder builder("subgraph");
  for (size_t i = 0; i < extracted.inputs.size(); ++i) {
    const TensorId input = extracted.inputs[i];
    built[input] = builder.Input(absl::StrCat("in", i), graph.ShapeOf(input),
                                 graph.TypeOf(input));
    if (graph.constants.contains(input)) {
      extracted.subgraph.constant_inputs.push_back(static_cast<int>(i));
    }
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = graph.nodes[nodes[i]];
    for (TensorId& operand : operands[i]) operand = built.at(operand);
    built[node.output] =
        builder.Apply(absl::StrCat("op", i), node.op, operands[i]);
  }
  builder.Output(built.at(graph.nodes[nodes.back()].output));
  absl::StatusOr<OperatorGraph> body = std::move(builder).Build();
  CHECK_OK(body.status());  // the nodes of a valid graph
  extracted.subgraph.body = *std::move(body);
  return extracted;
}

uint64_t SubgraphHash(const Subgraph& subgraph) {
  return Fingerprint(
      absl::StrCat(StructureHash(subgraph.body), " ",
                   absl::StrJoin(subgraph.constant_inputs, ",")));
}

std::string SubgraphSummary(const Subgraph& subgraph) {
  const OperatorGraph& body = subgraph.body;
  const std::string kinds =
      absl::StrJoin(body.nodes, "+", [](std::string* out, const Node& node) {
        absl::StrAppend(out, KindOf(node.op).name);
      });
  const std::string inputs =
      absl::StrJoin(InputShapes(body, body.nodes[0]), " ",
                    [](std::string* out, const Shape& shape) {
                      absl::StrAppend(out, ShapeText(shape));
                    });
  return absl::StrCat(kinds, " ", inputs, " -> ",
                      ShapeText(body.ShapeOf(body.outputs[0])));
}

proto::Subgraph SubgraphToProto(const Subgraph& subgraph) {
  proto::Subgraph proto;
  *proto.mutable_body() = GraphToProto(subgraph.body);
  proto.mutable_constant_inputs()->Add(subgraph.constant_inputs.begin(),
                                       subgraph.constant_inputs.end());
  return proto;
}

absl::StatusOr<Subgraph> SubgraphFromProto(const proto::Subgraph& proto) {
  Subgraph subgraph;
  ASSIGN_OR_RETURN(subgraph.body, GraphFromProto(proto.body()));
  subgraph.constant_inputs.assign(proto.constant_inputs().begin(),
                                  proto.constant_inputs().end());
  RETURN_IF_ERROR(CheckSubgraph(subgraph));
  return subgraph;
}

std::string PrintSubgraph(const Subgraph& subgraph) {
  return PrintTextProto(SubgraphToProto(subgraph));
}

absl::StatusOr<Subgraph> ParseSubgraph(absl::string_view text) {
  proto::Subgraph proto;
  RETURN_IF_ERROR(ParseTextProto(text, "a subgraph", proto));
  return SubgraphFromProto(proto);
}

}  // namespace pruner
