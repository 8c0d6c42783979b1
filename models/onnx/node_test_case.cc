#include "models/onnx/node_test_case.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "models/onnx/element_type.h"
#include "models/onnx/model_file.h"
#include "models/onnx/tensor_data.h"
#include "models/onnx/value_info.h"
#include "onnx/onnx.pb.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Inputs that say what must be known before a network runs.
std::set<size_t> ConstantInputs(const std::string& op) {
  static const std::map<std::string, std::set<size_t>>* const kInputs =
      new std::map<std::string, std::set<size_t>>{
          {"CenterCropPad", {1}},  {"ConstantOfShape", {0}},
          {"CumSum", {1}},         {"Dropout", {1, 2}},
          {"Expand", {1}},         {"OneHot", {1}},
          {"Pad", {1, 2, 3}},      {"Range", {0, 1, 2}},
          {"Reshape", {1}},        {"Resize", {1, 2, 3}},
          {"Slice", {1, 2, 3, 4}}, {"Split", {1}},
          {"Squeeze", {1}},        {"Tile", {1}},
          {"TopK", {1}},           {"Trilu", {1}},
          {"Unsqueeze", {1}},      {"Upsample", {1}},
  };
  const auto found = kInputs->find(op);
  if (found != kInputs->end()) return found->second;
  if (absl::StartsWith(op, "Reduce")) return {1};
  return {};
}

std::set<std::string> ConstantNames(const OnnxGraph& graph) {
  std::set<std::string> names;
  for (const OnnxNode& node : graph.nodes) {
    for (const size_t index : ConstantInputs(node.op_type)) {
      if (node.HasInput(index)) names.insert(node.inputs[index]);
    }
  }
  return names;
}

absl::StatusOr<OnnxTensor> ReadTensor(const std::string& bytes,
                                      const std::string& test) {
  onnx::TensorProto tensor;
  if (!tensor.ParseFromString(bytes))
    return absl::InvalidArgumentError(absl::StrCat(test, ": not a tensor"));
  return ReadOnnxTensor(tensor, std::nullopt, test);
}

TypedArray ToArray(const OnnxTensor& tensor) {
  TypedArray result = {.type = tensor.type,
                       .array = {.shape = tensor.dims, .values = {}}};
  if (tensor.floats != nullptr) {
    result.array.values = {tensor.floats->begin(), tensor.floats->end()};
  } else {
    result.array.values = {tensor.ints.begin(), tensor.ints.end()};
  }
  return result;
}

std::vector<OnnxDim> ToDims(const OnnxTensor& tensor) {
  std::vector<OnnxDim> dims;
  for (const int64_t extent : tensor.dims) dims.push_back({.extent = extent});
  return dims;
}

}  // namespace

absl::StatusOr<proto::OnnxNodeTests> ReadOnnxNodeTests(
    const std::string& path) {
  ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  proto::OnnxNodeTests tests;
  if (!tests.ParseFromString(bytes))
    return absl::InvalidArgumentError(absl::StrCat(path, ": has no tests"));
  return tests;
}

absl::StatusOr<OnnxNodeCase> MakeOnnxNodeCase(const proto::OnnxNodeTest& test) {
  ASSIGN_OR_RETURN(const onnx::ModelProto model,
                   ParseOnnxModel(test.model(), test.name()));
  OnnxNodeCase result;
  ASSIGN_OR_RETURN(result.graph, ReadOnnxGraph(model, std::nullopt));
  std::map<std::string, OnnxTensor> tensors;
  for (int i = 0; i < test.inputs_size(); ++i) {
    ASSIGN_OR_RETURN(tensors[model.graph().input(i).name()],
                     ReadTensor(test.inputs(i), test.name()));
  }
  const std::set<std::string> constants = ConstantNames(result.graph);
  for (OnnxValueInfo& input : std::exchange(result.graph.inputs, {})) {
    OnnxTensor& tensor = tensors[input.name];
    if (constants.contains(input.name)) {
      result.graph.initializers[input.name] = std::move(tensor);
      continue;
    }
    result.inputs.push_back(ToArray(tensor));
    input.dims = ToDims(tensor);
    result.graph.inputs.push_back(std::move(input));
  }
  for (const std::string& bytes : test.outputs()) {
    ASSIGN_OR_RETURN(const OnnxTensor tensor, ReadTensor(bytes, test.name()));
    result.outputs.push_back(ToArray(tensor));
  }
  return result;
}

}  // namespace pruner
