// What an ONNX graph says of its inputs and outputs.
#ifndef MODELS_ONNX_VALUE_INFO_H_
#define MODELS_ONNX_VALUE_INFO_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/onnx/element_type.h"
#include "onnx/onnx.pb.h"

namespace pruner {

struct OnnxDim {
  // Positive; nothing if it is only known when the model runs.
  std::optional<int64_t> extent = std::nullopt;
  // The name that the model then gives it, as "batch"; may be "".
  std::string symbol = {};

  bool operator==(const OnnxDim&) const = default;
};

// An input or output of a graph.
struct OnnxValueInfo {
  std::string name = {};
  DataType type = DataType::kFloat32;
  // Nothing if not even their number is known.
  std::optional<std::vector<OnnxDim>> dims = std::nullopt;
};

// `what` is "input" or "output". InvalidArgument, which names it, if it has no
// name, is no tensor, is of a type that ElementTypeFromOnnx has not, or has
// more than kMaxOnnxRank dims.
absl::StatusOr<OnnxValueInfo> ReadOnnxValueInfo(
    const onnx::ValueInfoProto& proto, absl::string_view what);

}  // namespace pruner

#endif  // MODELS_ONNX_VALUE_INFO_H_
