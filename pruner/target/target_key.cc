#include "pruner/target/target_key.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "pruner/base/hash.h"
#include "pruner/target/target.pb.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

// Another number where what is hashed changes its meaning.
constexpr absl::string_view kVersion = "\x01";

constexpr size_t kDigits = 16;

bool IsZero(const Message& message, const FieldDescriptor* field) {
  const Reflection& reflection = *message.GetReflection();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.GetInt32(message, field) == 0;
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection.GetInt64(message, field) == 0;
    case FieldDescriptor::CPPTYPE_UINT32:
      return reflection.GetUInt32(message, field) == 0;
    case FieldDescriptor::CPPTYPE_UINT64:
      return reflection.GetUInt64(message, field) == 0;
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection.GetDouble(message, field) == 0;
    case FieldDescriptor::CPPTYPE_FLOAT:
      return reflection.GetFloat(message, field) == 0;
    case FieldDescriptor::CPPTYPE_BOOL:
      return !reflection.GetBool(message, field);
    case FieldDescriptor::CPPTYPE_ENUM:
      return reflection.GetEnumValue(message, field) == 0;
    case FieldDescriptor::CPPTYPE_STRING:
      return reflection.GetString(message, field).empty();
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return reflection.GetMessage(message, field).ByteSizeLong() == 0;
  }
  return false;
}

// Clears what is 0 or empty, and the messages of which nothing remains.
void ClearZeros(Message& message) {
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->is_repeated()) continue;
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
      ClearZeros(*reflection.MutableMessage(&message, field));
    if (IsZero(message, field)) reflection.ClearField(&message, field);
  }
}

}  // namespace

std::string ToString(TargetKey key) {
  return absl::StrCat(absl::Hex(key.value, absl::kZeroPad16));
}

absl::StatusOr<TargetKey> ParseTargetKey(absl::string_view text) {
  TargetKey key;
  if (text.size() != kDigits || !absl::SimpleHexAtoi(text, &key.value)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the key of a target is 16 hexadecimal digits, not '", text, "'"));
  }
  return key;
}

TargetKey TargetKeyOf(const TargetSpec& target) {
  TargetSpec lasting = target;
  lasting.peaks = {};
  lasting.units.fma_pipes = 0;
  // Nothing that was measured is another for it: draft models alone look at it.
  lasting.limits.unsized_stages = 0;
  for (MemoryLevel* level : {&lasting.l1, &lasting.l2, &lasting.llc}) {
    level->gb_per_s = 0;
  }
  auto message = TargetSpecToProto(lasting);
  ClearZeros(message);
  // There is no map in it, whose order could differ.
  return {Fingerprint(absl::StrCat(kVersion, message.SerializeAsString()))};
}

}  // namespace pruner
