#include "pruner/base/text/json.h"

#include "absl/log/check.h"
#include "google/protobuf/util/json_util.h"

namespace pruner {

std::string ToJson(const google::protobuf::Message& message,
                   const JsonStyle& style) {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = style.indented;
  options.always_print_fields_with_no_presence = style.all_fields;
  options.preserve_proto_field_names = true;
  std::string json;
  CHECK_OK(
      google::protobuf::util::MessageToJsonString(message, &json, options));
  return json;
}

}  // namespace pruner
