// What benchmarks print last with --json.
#ifndef TOOLS_BENCH_JSON_LINE_H_
#define TOOLS_BENCH_JSON_LINE_H_

#include <string>

#include "google/protobuf/message.h"

namespace pruner {

// The message as one JSON object, with all fields, by their names in the proto
// file.
std::string JsonLine(const google::protobuf::Message& message);

}  // namespace pruner

#endif  // TOOLS_BENCH_JSON_LINE_H_
