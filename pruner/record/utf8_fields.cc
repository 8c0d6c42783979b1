#include "pruner/record/utf8_fields.h"

#include <vector>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "pruner/base/text/utf8.h"

namespace pruner {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

void MakeStringsValid(Message& message, const FieldDescriptor* field) {
  const Reflection& reflection = *message.GetReflection();
  if (!field->is_repeated()) {
    reflection.SetString(&message, field,
                         ValidUtf8(reflection.GetString(message, field)));
    return;
  }
  for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
    reflection.SetRepeatedString(
        &message, field, i,
        ValidUtf8(reflection.GetRepeatedString(message, field, i)));
  }
}

}  // namespace

void MakeStringsValid(Message& message) {
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->type() == FieldDescriptor::TYPE_STRING) {
      MakeStringsValid(message, field);
    } else if (field->type() != FieldDescriptor::TYPE_MESSAGE) {
      continue;
    } else if (!field->is_repeated()) {
      MakeStringsValid(*reflection.MutableMessage(&message, field));
    } else {
      for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
        MakeStringsValid(
            *reflection.MutableRepeatedMessage(&message, field, i));
      }
    }
  }
}

}  // namespace pruner
