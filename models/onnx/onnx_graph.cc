#include "models/onnx/onnx_graph.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/onnx/onnx_node.h"
#include "models/onnx/tensor_data.h"
#include "models/onnx/topological_order.h"
#include "models/onnx/value_info.h"
#include "models/operators/shape.h"
#include "onnx/onnx.pb.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

template <typename... Parts>
absl::Status Refuse(const Parts&... why) {
  return absl::InvalidArgumentError(absl::StrCat(why...));
}

absl::StatusOr<int64_t> OpsetOf(const onnx::ModelProto& model) {
  std::optional<int64_t> opset;
  for (const onnx::OperatorSetIdProto& import : model.opset_import()) {
    if (!CanonicalOnnxDomain(import.domain()).empty()) continue;
    if (opset.value_or(import.version()) != import.version()) {
      return Refuse("the model is for two versions of ONNX's operators, ",
                    *opset, " and ", import.version());
    }
    opset = import.version();
  }
  if (!opset.has_value()) {
    return Refuse("the model does not say for what version of ONNX's ",
                  "operators it is (opset_import)");
  }
  if (*opset < kOldestOnnxOpset || *opset > kNewestOnnxOpset) {
    return Refuse("the model is for version ", *opset, " of ONNX's operators ",
                  "(opset); supported are ", kOldestOnnxOpset, " to ",
                  kNewestOnnxOpset);
  }
  return *opset;
}

OnnxTensor FloatTensor(Shape dims, std::vector<float> values) {
  return {.type = DataType::kFloat32,
          .dims = std::move(dims),
          .floats = std::make_shared<std::vector<float>>(std::move(values))};
}

OnnxTensor IntTensor(Shape dims, std::vector<int64_t> values) {
  return {.type = DataType::kInt64,
          .dims = std::move(dims),
          .ints = std::move(values)};
}

// What a Constant node makes.
absl::StatusOr<OnnxTensor> ConstantOf(const OnnxNode& node) {
  if (node.attributes.size() != 1 || node.outputs.size() != 1 ||
      !node.inputs.empty()) {
    return node.Error(
        "must have one attribute, its value, one output and no inputs");
  }
  RETURN_IF_ERROR(node.CheckAttributes(
      {"value", "value_float", "value_floats", "value_int", "value_ints"}));
  if (node.Has("value")) return node.Tensor("value");
  if (node.Has("value_float")) {
    ASSIGN_OR_RETURN(const float value, node.Float("value_float"));
    return FloatTensor({}, {value});
  }
  if (node.Has("value_floats")) {
    ASSIGN_OR_RETURN(std::vector<float> values, node.Floats("value_floats"));
    const auto size = static_cast<int64_t>(values.size());
    return FloatTensor({size}, std::move(values));
  }
  if (node.Has("value_int")) {
    ASSIGN_OR_RETURN(const int64_t value, node.Int("value_int"));
    return IntTensor({}, {value});
  }
  ASSIGN_OR_RETURN(std::vector<int64_t> values, node.Ints("value_ints"));
  const auto size = static_cast<int64_t>(values.size());
  return IntTensor({size}, std::move(values));
}

class GraphReader {
 public:
  GraphReader(const onnx::GraphProto& proto,
              const std::optional<std::string>& folder)
      : proto_(proto), folder_(folder) {}

  absl::StatusOr<OnnxGraph> Read() {
    graph_.name = proto_.name();
    RETURN_IF_ERROR(ReadInitializers());
    RETURN_IF_ERROR(ReadInputs());
    RETURN_IF_ERROR(ReadNodes());
    RETURN_IF_ERROR(ReadOutputs());
    RETURN_IF_ERROR(CheckReads());
    ASSIGN_OR_RETURN(graph_.nodes, SortTopologically(std::move(graph_.nodes)));
    return std::move(graph_);
  }

 private:
  absl::Status ReadInitializers();
  absl::Status ReadInputs();
  absl::Status ReadNodes();
  absl::Status ReadOutputs();
  absl::Status CheckReads() const;

  // ReadOnnxTensor, while there are not too many elements in all.
  absl::StatusOr<OnnxTensor> ReadTensor(const onnx::TensorProto& tensor,
                                        absl::string_view what);
  // Notes that `maker` makes the tensor.
  absl::Status Make(const std::string& tensor, const std::string& maker);

  const onnx::GraphProto& proto_;
  const std::optional<std::string>& folder_;
  OnnxGraph graph_;
  std::map<std::string, std::string, std::less<>> makers_;  // of tensors
  int64_t elements_ = 0;                                    // of constants
};

absl::StatusOr<OnnxTensor> GraphReader::ReadTensor(
    const onnx::TensorProto& tensor, absl::string_view what) {
  ASSIGN_OR_RETURN(const int64_t count, OnnxElementCount(tensor, what));
  if (count > kMaxOnnxConstantElements - elements_) {
    return Refuse("the model's constants up to ", what, " have more than ",
                  kMaxOnnxConstantElements, " elements");
  }
  elements_ += count;
  return ReadOnnxTensor(tensor, folder_, what);
}

absl::Status GraphReader::Make(const std::string& tensor,
                               const std::string& maker) {
  const auto [made, is_new] = makers_.emplace(tensor, maker);
  if (is_new) return absl::OkStatus();
  return Refuse("tensor \"", tensor, "\" is made twice, by ", made->second,
                " and by ", maker);
}

absl::Status GraphReader::ReadInitializers() {
  if (proto_.sparse_initializer_size() > 0) {
    return Refuse("initializer \"",
                  proto_.sparse_initializer(0).values().name(),
                  "\" is sparse, which is not supported");
  }
  for (const onnx::TensorProto& tensor : proto_.initializer()) {
    if (tensor.name().empty()) return Refuse("an initializer has no name");
    const std::string what =
        absl::StrCat("initializer \"", tensor.name(), "\"");
    RETURN_IF_ERROR(Make(tensor.name(), "an initializer"));
    ASSIGN_OR_RETURN(graph_.initializers[tensor.name()],
                     ReadTensor(tensor, what));
  }
  return absl::OkStatus();
}

absl::Status GraphReader::ReadInputs() {
  for (const onnx::ValueInfoProto& input : proto_.input()) {
    // An input with a value is a default that nobody overrides; until version 4
    // of the format every initializer was an input, too.
    if (graph_.initializers.contains(input.name())) continue;
    ASSIGN_OR_RETURN(OnnxValueInfo info, ReadOnnxValueInfo(input, "input"));
    RETURN_IF_ERROR(Make(info.name, "an input of the graph"));
    graph_.inputs.push_back(std::move(info));
  }
  return absl::OkStatus();
}

absl::Status GraphReader::ReadNodes() {
  const auto read_tensor = [this](const onnx::TensorProto& tensor,
                                  absl::string_view what) {
    return ReadTensor(tensor, what);
  };
  for (const onnx::NodeProto& proto : proto_.node()) {
    ASSIGN_OR_RETURN(OnnxNode node, ReadOnnxNode(proto, read_tensor));
    for (const std::string& output : node.outputs) {
      if (output.empty()) continue;
      RETURN_IF_ERROR(Make(output, node.Label()));
    }
    if (node.op_type == "Constant") {
      ASSIGN_OR_RETURN(graph_.initializers[node.outputs[0]], ConstantOf(node));
    } else {
      graph_.nodes.push_back(std::move(node));
    }
  }
  return absl::OkStatus();
}

absl::Status GraphReader::ReadOutputs() {
  if (proto_.output().empty()) return Refuse("the graph has no outputs");
  std::set<std::string> names;
  for (const onnx::ValueInfoProto& output : proto_.output()) {
    ASSIGN_OR_RETURN(OnnxValueInfo info, ReadOnnxValueInfo(output, "output"));
    if (!names.insert(info.name).second) {
      return Refuse("output \"", info.name, "\" is listed twice");
    }
    graph_.outputs.push_back(std::move(info));
  }
  return absl::OkStatus();
}

absl::Status GraphReader::CheckReads() const {
  for (const OnnxNode& node : graph_.nodes) {
    for (const std::string& input : node.inputs) {
      if (input.empty() || makers_.contains(input)) continue;
      return node.Error(absl::StrCat(
          "reads \"", input,
          "\", which is no input, no initializer and no node's output"));
    }
  }
  for (const OnnxValueInfo& output : graph_.outputs) {
    if (makers_.contains(output.name)) continue;
    return Refuse("output \"", output.name, "\" is made by no node");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<OnnxGraph> ReadOnnxGraph(
    const onnx::ModelProto& model, const std::optional<std::string>& folder) {
  ASSIGN_OR_RETURN(const int64_t opset, OpsetOf(model));
  for (const onnx::FunctionProto& function : model.functions()) {
    if (CanonicalOnnxDomain(function.domain()).empty()) {
      return Refuse("the model defines ONNX's operator ", function.name(),
                    " itself, which is not supported");
    }
  }
  ASSIGN_OR_RETURN(OnnxGraph graph, GraphReader(model.graph(), folder).Read());
  graph.opset = opset;
  return graph;
}

}  // namespace pruner
