// The graph of an ONNX model as plain values: checked, in topological order,
// its constants read. What its operators mean is for who converts it.
#ifndef MODELS_ONNX_ONNX_GRAPH_H_
#define MODELS_ONNX_ONNX_GRAPH_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/onnx/onnx_node.h"
#include "models/onnx/tensor_data.h"
#include "models/onnx/value_info.h"
#include "onnx/onnx.pb.h"

namespace pruner {

// The versions of ONNX's operators that are read: before 7 broadcasting was
// another, and newer ones nobody knows.
inline constexpr int64_t kOldestOnnxOpset = 7;
inline constexpr int64_t kNewestOnnxOpset = 28;

// The most elements that all constants of a model have together.
inline constexpr int64_t kMaxOnnxConstantElements = int64_t{1} << 31;

struct OnnxGraph {
  std::string name = {};
  int64_t opset = 0;  // the version of ONNX's operators
  // Without those that have a value in `initializers`.
  std::vector<OnnxValueInfo> inputs = {};
  std::vector<OnnxValueInfo> outputs = {};
  // Constants by their tensors' names, also those that Constant nodes make.
  std::map<std::string, OnnxTensor, std::less<>> initializers = {};
  // Each after those whose outputs it reads, else in the model's order. Without
  // Constant nodes.
  std::vector<OnnxNode> nodes = {};
};

// Checks a model and reads its graph. External data is read from `folder`, the
// model's; without one it is refused. InvalidArgument, as one sentence that
// names the node or tensor, if
// - the operators are not of versions kOldestOnnxOpset to kNewestOnnxOpset, or
//   not ONNX's own;
// - a tensor has no name, is made twice, or is read and made by nobody;
// - nodes read each other's outputs in a cycle;
// - an initializer is sparse, or there are no outputs, or one is listed twice;
// - constants have more than kMaxOnnxConstantElements elements together;
// also the errors of ReadOnnxNode, ReadOnnxTensor and ReadOnnxValueInfo.
absl::StatusOr<OnnxGraph> ReadOnnxGraph(
    const onnx::ModelProto& model, const std::optional<std::string>& folder);

}  // namespace pruner

#endif  // MODELS_ONNX_ONNX_GRAPH_H_
