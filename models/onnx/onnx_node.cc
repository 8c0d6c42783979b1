#include "models/onnx/onnx_node.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/onnx/tensor_data.h"
#include "onnx/onnx.pb.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using ::onnx::AttributeProto;

// By index of OnnxAttribute.
constexpr absl::string_view kTypeNames[] = {
    "an integer", "a float", "a string", "a tensor",
    "integers",   "floats",  "strings"};
static_assert(std::size(kTypeNames) == std::variant_size_v<OnnxAttribute>);

template <typename T>
absl::StatusOr<T> Get(const OnnxNode& node, absl::string_view attribute,
                      std::optional<T> otherwise) {
  const auto found = node.attributes.find(attribute);
  if (found == node.attributes.end()) {
    if (otherwise.has_value()) return *std::move(otherwise);
    return node.Error(
        absl::StrCat("has no attribute \"", attribute, "\", which it needs"));
  }
  if (const T* value = std::get_if<T>(&found->second)) return *value;
  return node.Error(absl::StrCat("has an attribute \"", attribute,
                                 "\" that is ",
                                 kTypeNames[found->second.index()], ", not ",
                                 kTypeNames[OnnxAttribute(T()).index()]));
}

// The type of an attribute that an OnnxAttribute cannot be.
std::string UnsupportedText(const AttributeProto& proto) {
  switch (proto.type()) {
    case AttributeProto::GRAPH:
    case AttributeProto::GRAPHS:
      return "is a graph of its own; control flow is not supported";
    case AttributeProto::UNDEFINED:
      return "has no type";
    default:
      return absl::StrCat("is of type ",
                          AttributeProto::AttributeType_Name(proto.type()),
                          ", which is not supported");
  }
}

absl::StatusOr<OnnxAttribute> ReadAttribute(
    const AttributeProto& proto, const OnnxNode& node,
    const OnnxTensorReader& read_tensor) {
  const std::string label = absl::StrCat("attribute \"", proto.name(), "\"");
  if (proto.has_ref_attr_name()) {
    return node.Error(
        absl::StrCat("has an ", label, " that stands for one of a function"));
  }
  switch (proto.type()) {
    case AttributeProto::INT:
      return proto.i();
    case AttributeProto::FLOAT:
      return proto.f();
    case AttributeProto::STRING:
      return proto.s();
    case AttributeProto::TENSOR:
      return read_tensor(proto.t(), absl::StrCat(node.Label(), ", ", label));
    case AttributeProto::INTS:
      return std::vector<int64_t>(proto.ints().begin(), proto.ints().end());
    case AttributeProto::FLOATS:
      return std::vector<float>(proto.floats().begin(), proto.floats().end());
    case AttributeProto::STRINGS:
      return std::vector<std::string>(proto.strings().begin(),
                                      proto.strings().end());
    default:
      return node.Error(
          absl::StrCat("has an ", label, " that ", UnsupportedText(proto)));
  }
}

bool IsThere(const std::vector<std::string>& tensors, size_t index) {
  return index < tensors.size() && !tensors[index].empty();
}

}  // namespace

std::string OnnxNode::Label() const {
  return absl::StrCat(op_type, " \"", name, "\"");
}

absl::Status OnnxNode::Error(absl::string_view what) const {
  return absl::InvalidArgumentError(absl::StrCat(Label(), " ", what));
}

bool OnnxNode::HasInput(size_t index) const { return IsThere(inputs, index); }
bool OnnxNode::HasOutput(size_t index) const { return IsThere(outputs, index); }

bool OnnxNode::Has(absl::string_view attribute) const {
  return attributes.contains(attribute);
}

absl::StatusOr<int64_t> OnnxNode::Int(absl::string_view attribute,
                                      std::optional<int64_t> otherwise) const {
  return Get(*this, attribute, otherwise);
}

absl::StatusOr<float> OnnxNode::Float(absl::string_view attribute,
                                      std::optional<float> otherwise) const {
  return Get(*this, attribute, otherwise);
}

absl::StatusOr<std::string> OnnxNode::String(
    absl::string_view attribute, std::optional<std::string> otherwise) const {
  return Get(*this, attribute, std::move(otherwise));
}

absl::StatusOr<std::vector<int64_t>> OnnxNode::Ints(
    absl::string_view attribute,
    std::optional<std::vector<int64_t>> otherwise) const {
  return Get(*this, attribute, std::move(otherwise));
}

absl::StatusOr<std::vector<float>> OnnxNode::Floats(
    absl::string_view attribute,
    std::optional<std::vector<float>> otherwise) const {
  return Get(*this, attribute, std::move(otherwise));
}

absl::StatusOr<std::vector<std::string>> OnnxNode::Strings(
    absl::string_view attribute,
    std::optional<std::vector<std::string>> otherwise) const {
  return Get(*this, attribute, std::move(otherwise));
}

absl::StatusOr<OnnxTensor> OnnxNode::Tensor(absl::string_view attribute) const {
  return Get<OnnxTensor>(*this, attribute, std::nullopt);
}

absl::Status OnnxNode::CheckAttributes(
    absl::Span<const absl::string_view> known) const {
  for (const auto& [attribute, value] : attributes) {
    if (std::find(known.begin(), known.end(), attribute) == known.end()) {
      return Error(absl::StrCat("has an attribute \"", attribute,
                                "\", which is not supported"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<OnnxNode> ReadOnnxNode(const onnx::NodeProto& proto,
                                      const OnnxTensorReader& read_tensor) {
  OnnxNode node{.name = proto.name(),
                .op_type = proto.op_type(),
                .domain = CanonicalOnnxDomain(proto.domain()),
                .inputs = {proto.input().begin(), proto.input().end()},
                .outputs = {proto.output().begin(), proto.output().end()}};
  const auto output = std::find_if_not(
      node.outputs.begin(), node.outputs.end(),
      [](const std::string& tensor) { return tensor.empty(); });
  if (node.name.empty() && output != node.outputs.end()) node.name = *output;
  if (node.op_type.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("node \"", node.name, "\" has no operator"));
  }
  if (!node.domain.empty()) {
    return node.Error(absl::StrCat("is an operator of \"", node.domain,
                                   "\"; only ONNX's own are supported"));
  }
  if (output == node.outputs.end()) return node.Error("has no output");
  for (const AttributeProto& attribute : proto.attribute()) {
    if (attribute.name().empty()) {
      return node.Error("has an attribute without a name");
    }
    if (node.Has(attribute.name())) {
      return node.Error(
          absl::StrCat("has the attribute \"", attribute.name(), "\" twice"));
    }
    ASSIGN_OR_RETURN(OnnxAttribute value,
                     ReadAttribute(attribute, node, read_tensor));
    node.attributes.emplace(attribute.name(), std::move(value));
  }
  return node;
}

std::string CanonicalOnnxDomain(const std::string& domain) {
  return domain == "ai.onnx" ? "" : domain;
}

}  // namespace pruner
