#include "models/graph/graph_text.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "models/graph/graph_builder.h"
#include "models/graph/operator_proto.h"
#include "models/graph/text_proto.h"
#include "pruner/base/status_macros.h"

namespace pruner {

proto::DataType TypeToProto(DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return proto::FLOAT32;
    case DataType::kInt64:
      return proto::INT64;
    case DataType::kBool:
      return proto::BOOL;
  }
  return proto::FLOAT32;
}

namespace {

absl::StatusOr<DataType> TypeFromProto(proto::DataType proto,
                                       absl::string_view tensor) {
  for (const DataType type : kDataTypes) {
    if (TypeToProto(type) == proto) return type;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("\"", tensor, "\" has elements of an unknown type, number ",
                   static_cast<int>(proto)));
}

void SourceToProto(const ExplicitValues& source, proto::Constant* proto) {
  proto->mutable_values()->mutable_value()->Add(source.values->begin(),
                                                source.values->end());
}

void SourceToProto(const RandomValues& source, proto::Constant* proto) {
  proto::RandomValues* random = proto->mutable_random();
  random->set_seed(source.seed);
  random->set_low(source.low);
  random->set_high(source.high);
}

void ConstantToProto(const Tensor& tensor, const ConstantData& data,
                     proto::Constant* proto) {
  proto->set_name(tensor.name);
  proto->mutable_shape()->Add(tensor.shape.begin(), tensor.shape.end());
  proto->set_type(TypeToProto(tensor.type));
  std::visit([&](const auto& source) { SourceToProto(source, proto); },
             data.source);
  proto->mutable_channel_factor()->Add(data.channel_factor.begin(),
                                       data.channel_factor.end());
  proto->mutable_channel_offset()->Add(data.channel_offset.begin(),
                                       data.channel_offset.end());
}

absl::StatusOr<ConstantData> ConstantFromProto(const proto::Constant& proto) {
  ConstantData data;
  data.channel_factor.assign(proto.channel_factor().begin(),
                             proto.channel_factor().end());
  data.channel_offset.assign(proto.channel_offset().begin(),
                             proto.channel_offset().end());
  switch (proto.source_case()) {
    case proto::Constant::kValues:
      data.source = MakeExplicit(
          {proto.values().value().begin(), proto.values().value().end()});
      return data;
    case proto::Constant::kRandom:
      data.source = RandomValues{.seed = proto.random().seed(),
                                 .low = proto.random().low(),
                                 .high = proto.random().high()};
      return data;
    case proto::Constant::SOURCE_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "constant \"", proto.name(), "\" has neither values nor random"));
}

}  // namespace

proto::OperatorGraph GraphToProto(const OperatorGraph& graph) {
  proto::OperatorGraph proto;
  proto.set_name(graph.name);
  for (const TensorId input : graph.inputs) {
    const Tensor& tensor = graph.tensors[input];
    proto::Tensor* added = proto.add_inputs();
    added->set_name(tensor.name);
    added->mutable_shape()->Add(tensor.shape.begin(), tensor.shape.end());
    added->set_type(TypeToProto(tensor.type));
  }
  for (const auto& [tensor, data] : graph.constants) {
    ConstantToProto(graph.tensors[tensor], data, proto.add_constants());
  }
  for (const Node& node : graph.nodes) {
    proto::Node* added = proto.add_nodes();
    added->set_name(graph.NameOf(node));
    for (const TensorId input : node.inputs) {
      added->add_inputs(graph.tensors[input].name);
    }
    OperatorToProto(node.op, *added);
  }
  for (const TensorId output : graph.outputs) {
    proto.add_outputs(graph.tensors[output].name);
  }
  return proto;
}

absl::StatusOr<OperatorGraph> GraphFromProto(
    const proto::OperatorGraph& proto) {
  GraphBuilder builder(proto.name());
  std::map<std::string, TensorId, std::less<>> by_name;
  const auto find = [&](absl::string_view name,
                        absl::string_view reader) -> absl::StatusOr<TensorId> {
    const auto found = by_name.find(name);
    if (found != by_name.end()) return found->second;
    return absl::InvalidArgumentError(absl::StrCat(
        "graph \"", proto.name(), "\", ", reader, " reads \"", name,
        "\", which is not an input, a constant or a node before it"));
  };
  for (const proto::Tensor& input : proto.inputs()) {
    ASSIGN_OR_RETURN(const DataType type,
                     TypeFromProto(input.type(), input.name()));
    by_name[input.name()] = builder.Input(
        input.name(), {input.shape().begin(), input.shape().end()}, type);
  }
  for (const proto::Constant& constant : proto.constants()) {
    ASSIGN_OR_RETURN(const ConstantData data, ConstantFromProto(constant));
    ASSIGN_OR_RETURN(const DataType type,
                     TypeFromProto(constant.type(), constant.name()));
    by_name[constant.name()] = builder.Constant(
        constant.name(), {constant.shape().begin(), constant.shape().end()},
        data, type);
  }
  for (const proto::Node& node : proto.nodes()) {
    RETURN_IF_ERROR(builder.status());
    ASSIGN_OR_RETURN(const Operator op, OperatorFromProto(node));
    std::vector<TensorId> inputs;
    for (const std::string& name : node.inputs()) {
      ASSIGN_OR_RETURN(const TensorId input,
                       find(name, absl::StrCat("node \"", node.name(), "\"")));
      inputs.push_back(input);
    }
    by_name[node.name()] = builder.Apply(node.name(), op, inputs);
  }
  RETURN_IF_ERROR(builder.status());
  for (const std::string& name : proto.outputs()) {
    ASSIGN_OR_RETURN(const TensorId output, find(name, "the list of outputs"));
    builder.Output(output);
  }
  return std::move(builder).Build();
}

std::string PrintGraph(const OperatorGraph& graph) {
  return PrintTextProto(GraphToProto(graph));
}

absl::StatusOr<OperatorGraph> ParseGraph(absl::string_view text) {
  proto::OperatorGraph proto;
  RETURN_IF_ERROR(ParseTextProto(text, "an operator graph", proto));
  return GraphFromProto(proto);
}

}  // namespace pruner
