// Protocol buffers as JSON.
#ifndef PRUNER_BASE_TEXT_JSON_H_
#define PRUNER_BASE_TEXT_JSON_H_

#include <string>

#include "google/protobuf/message.h"

namespace pruner {

struct JsonStyle {
  // Also fields that have their default values, where such say something.
  bool all_fields = true;
  bool indented = false;  // else one line
};

// The message as one JSON object, its fields by their names in the proto file.
std::string ToJson(const google::protobuf::Message& message,
                   const JsonStyle& style = {});

}  // namespace pruner

#endif  // PRUNER_BASE_TEXT_JSON_H_
