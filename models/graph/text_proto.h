// Protocol buffers as text, the one way we write and read it.
#ifndef MODELS_GRAPH_TEXT_PROTO_H_
#define MODELS_GRAPH_TEXT_PROTO_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"

namespace pruner {

// Repeated numbers in one list: "shape: [1, 2]".
std::string PrintTextProto(const google::protobuf::Message& message);

// InvalidArgument "not the text of <what>: line 3, column 7: ..." with the
// first error.
absl::Status ParseTextProto(absl::string_view text, absl::string_view what,
                            google::protobuf::Message& message);

}  // namespace pruner

#endif  // MODELS_GRAPH_TEXT_PROTO_H_
