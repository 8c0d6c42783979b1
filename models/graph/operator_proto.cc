#include "models/graph/operator_proto.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/log/check.h"
#include "absl/log/log.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "models/graph/operator_graph.pb.h"
#include "models/operators/operator_kind.h"
#include "models/operators/operators.h"

namespace pruner {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;

// The field of this name; the message of a kind has one for each attribute.
const FieldDescriptor* FieldOf(const Message& message, absl::string_view name) {
  const FieldDescriptor* const field =
      message.GetDescriptor()->FindFieldByName(name);
  CHECK(field != nullptr) << message.GetTypeName() << " has no " << name;
  return field;
}

void Set(Message& message, absl::string_view name, int64_t value) {
  message.GetReflection()->SetInt64(&message, FieldOf(message, name), value);
}

void Set(Message& message, absl::string_view name, double value) {
  message.GetReflection()->SetDouble(&message, FieldOf(message, name), value);
}

void Set(Message& message, absl::string_view name, bool value) {
  message.GetReflection()->SetBool(&message, FieldOf(message, name), value);
}

void Set(Message& message, absl::string_view name,
         const std::vector<int64_t>& values) {
  const FieldDescriptor* const field = FieldOf(message, name);
  for (const int64_t value : values)
    message.GetReflection()->AddInt64(&message, field, value);
}

void Set(Message& message, absl::string_view name,
         const std::vector<double>& values) {
  const FieldDescriptor* const field = FieldOf(message, name);
  for (const double value : values)
    message.GetReflection()->AddDouble(&message, field, value);
}

void Set(Message& message, absl::string_view name, const std::string& value) {
  message.GetReflection()->SetString(&message, FieldOf(message, name), value);
}

Message& Part(Message& message, absl::string_view name) {
  return *message.GetReflection()->MutableMessage(&message,
                                                  FieldOf(message, name));
}

void Set(Message& message, absl::string_view name, const Extent2d& extent) {
  auto& proto = static_cast<proto::Extent2d&>(Part(message, name));
  proto.set_h(extent.h);
  proto.set_w(extent.w);
}

void Set(Message& message, absl::string_view name, const Padding2d& padding) {
  auto& proto = static_cast<proto::Padding2d&>(Part(message, name));
  proto.set_top(padding.top);
  proto.set_left(padding.left);
  proto.set_bottom(padding.bottom);
  proto.set_right(padding.right);
}

// What is missing keeps its default.
void Get(const Message& message, const FieldDescriptor* field, int64_t& value) {
  value = message.GetReflection()->GetInt64(message, field);
}

void Get(const Message& message, const FieldDescriptor* field, double& value) {
  value = message.GetReflection()->GetDouble(message, field);
}

void Get(const Message& message, const FieldDescriptor* field, bool& value) {
  value = message.GetReflection()->GetBool(message, field);
}

void Get(const Message& message, const FieldDescriptor* field,
         std::vector<int64_t>& values) {
  const auto& repeated =
      message.GetReflection()->GetRepeatedFieldRef<int64_t>(message, field);
  values.assign(repeated.begin(), repeated.end());
}

void Get(const Message& message, const FieldDescriptor* field,
         std::vector<double>& values) {
  const auto& repeated =
      message.GetReflection()->GetRepeatedFieldRef<double>(message, field);
  values.assign(repeated.begin(), repeated.end());
}

void Get(const Message& message, const FieldDescriptor* field,
         std::string& value) {
  value = message.GetReflection()->GetString(message, field);
}

void Get(const Message& message, const FieldDescriptor* field,
         Extent2d& extent) {
  const auto& proto = static_cast<const proto::Extent2d&>(
      message.GetReflection()->GetMessage(message, field));
  extent = {proto.h(), proto.w()};
}

void Get(const Message& message, const FieldDescriptor* field,
         Padding2d& padding) {
  const auto& proto = static_cast<const proto::Padding2d&>(
      message.GetReflection()->GetMessage(message, field));
  padding = {proto.top(), proto.left(), proto.bottom(), proto.right()};
}

// The member of the node's `op` whose message has the kind's name.
const FieldDescriptor* MemberOf(const OperatorKind& kind) {
  const auto* const members = proto::Node::descriptor()->FindOneofByName("op");
  for (int i = 0; i < members->field_count(); ++i) {
    if (members->field(i)->message_type()->name() == kind.name)
      return members->field(i);
  }
  LOG(FATAL) << "there is no message " << kind.name;
}

template <typename Kind>
Operator Read(const Message& message) {
  Kind op;
  VisitAttributes(op, [&](absl::string_view name, auto& field) {
    const FieldDescriptor* const stored = FieldOf(message, name);
    if (stored->has_presence() &&
        !message.GetReflection()->HasField(message, stored)) {
      return;
    }
    Get(message, stored, field);
  });
  return op;
}

// The first of these kinds that the node's member is of.
template <size_t kIndex = 0>
Operator ReadMember(const proto::Node& node, const FieldDescriptor* member) {
  if constexpr (kIndex < std::variant_size_v<Operator>) {
    using Kind = std::variant_alternative_t<kIndex, Operator>;
    if (member->message_type()->name() == Kind::kKind.name)
      return Read<Kind>(node.GetReflection()->GetMessage(node, member));
    return ReadMember<kIndex + 1>(node, member);
  } else {
    LOG(FATAL) << "no operator has the message " << member->name();
  }
}

}  // namespace

void OperatorToProto(const Operator& op, proto::Node& node) {
  std::visit(
      [&](const auto& kind) {
        Message& message =
            *node.GetReflection()->MutableMessage(&node, MemberOf(kind.kKind));
        VisitAttributes(kind, [&](absl::string_view name, const auto& field) {
          Set(message, name, field);
        });
      },
      op);
}

absl::StatusOr<Operator> OperatorFromProto(const proto::Node& node) {
  const FieldDescriptor* const member =
      node.GetReflection()->GetOneofFieldDescriptor(
          node, proto::Node::descriptor()->FindOneofByName("op"));
  if (member == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("node \"", node.name(), "\" has no operator"));
  }
  return ReadMember(node, member);
}

}  // namespace pruner
