// A model is refused, or its graph is what onnx_graph.h says: constants have as
// many values as their dims say and not many more than the model has bytes,
// nodes read what is there before them, and inputs can be given shapes.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <variant>

#include "absl/log/check.h"
#include "absl/strings/string_view.h"
#include "models/onnx/input_shape.h"
#include "models/onnx/model_file.h"
#include "models/onnx/onnx_graph.h"
#include "models/onnx/tensor_data.h"
#include "models/operators/shape.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

constexpr int64_t kFileBytes = 64;

// A model's folder, with a file of weights.
const std::string& Folder() {
  static const auto* const kFolder = [] {
    auto* folder = new auto(TempDirectory::Create());
    CHECK_OK(*folder);
    CHECK_OK(WriteFileAtomically((*folder)->File("w.bin"),
                                 std::string(kFileBytes, '\1')));
    return folder;
  }();
  return (*kFolder)->path();
}

// The number of values.
int64_t CheckTensor(const OnnxTensor& tensor) {
  const bool is_float = tensor.type == DataType::kFloat32;
  CHECK_EQ(tensor.floats != nullptr, is_float);
  const size_t count = is_float ? tensor.floats->size() : tensor.ints.size();
  CHECK_EQ(static_cast<int64_t>(count), NumElements(tensor.dims));
  return static_cast<int64_t>(count);
}

// The number of values in attributes.
int64_t CheckNodes(const OnnxGraph& graph, std::set<std::string>& made) {
  int64_t values = 0;
  for (const OnnxNode& node : graph.nodes) {
    for (const std::string& input : node.inputs) {
      CHECK(input.empty() || made.contains(input)) << node.Label();
    }
    for (const std::string& output : node.outputs) {
      CHECK(output.empty() || made.insert(output).second) << node.Label();
    }
    for (const auto& [name, attribute] : node.attributes) {
      const auto* tensor = std::get_if<OnnxTensor>(&attribute);
      if (tensor != nullptr) values += CheckTensor(*tensor);
    }
  }
  return values;
}

void CheckInputShapes(OnnxGraph graph) {
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    Shape shape;
    for (const OnnxDim& dim :
         graph.inputs[i].dims.value_or(std::vector<OnnxDim>(1))) {
      shape.push_back(dim.extent.value_or(1));
    }
    // Too many elements, perhaps, or one name for several inputs' dims.
    if (!SetInputShape(graph, graph.inputs[i].name, shape).ok()) continue;
    const auto fixed = StaticInputShape(graph.inputs[i]);
    CHECK_OK(fixed);
    CHECK(*fixed == shape);
  }
}

void Check(absl::string_view bytes) {
  const auto model = ParseOnnxModel(bytes, "the model");
  if (!model.ok()) return;
  const auto graph = ReadOnnxGraph(*model, Folder());
  if (!graph.ok()) return;
  std::set<std::string> made;
  int64_t values = 0;
  for (const auto& [name, tensor] : graph->initializers) {
    CHECK(made.insert(name).second);
    values += CheckTensor(tensor);
  }
  for (const OnnxValueInfo& input : graph->inputs) {
    CHECK(made.insert(input.name).second);
  }
  values += CheckNodes(*graph, made);
  for (const OnnxValueInfo& output : graph->outputs) {
    CHECK(made.contains(output.name));
  }
  // A tensor, of which each takes some bytes, may be the whole file.
  CHECK_LE(values, static_cast<int64_t>(bytes.size()) * kFileBytes);
  CheckInputShapes(*graph);
}

}  // namespace
}  // namespace pruner

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pruner::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
