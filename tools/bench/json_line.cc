#include "tools/bench/json_line.h"

#include "absl/log/check.h"
#include "google/protobuf/util/json_util.h"

namespace pruner {

std::string JsonLine(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_fields_with_no_presence = true;
  options.preserve_proto_field_names = true;
  std::string json;
  CHECK_OK(
      google::protobuf::util::MessageToJsonString(message, &json, options));
  return json;
}

}  // namespace pruner
