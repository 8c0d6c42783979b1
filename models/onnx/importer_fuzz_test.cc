// A model is refused, or its graph is one that can be printed and read again.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/log/check.h"
#include "absl/strings/string_view.h"
#include "models/graph/graph_text.h"
#include "models/graph/operator_graph.h"
#include "models/onnx/importer.h"
#include "models/onnx/input_shape.h"
#include "models/onnx/model_file.h"
#include "models/onnx/onnx_graph.h"
#include "models/operators/shape.h"

namespace pruner {
namespace {

// As a user would who knows that what is open is 1.
void SetOpenDims(OnnxGraph& graph) {
  for (const OnnxValueInfo& input : graph.inputs) {
    if (!input.dims.has_value()) continue;
    Shape shape;
    for (const OnnxDim& dim : *input.dims)
      shape.push_back(dim.extent.value_or(1));
    // Refused where there are too many elements.
    SetInputShape(graph, input.name, shape).IgnoreError();
  }
}

void Check(absl::string_view bytes) {
  const auto model = ParseOnnxModel(bytes, "the model");
  if (!model.ok()) return;
  auto graph = ReadOnnxGraph(*model, "/nonexistent");
  if (!graph.ok()) return;
  SetOpenDims(*graph);
  const auto imported = ImportOnnxGraph(*graph);
  if (!imported.ok()) {
    CHECK(!imported.status().message().empty());
    return;
  }
  const std::string printed = PrintGraph(*imported);
  const auto again = ParseGraph(printed);
  CHECK_OK(again) << printed;
  CHECK_EQ(PrintGraph(*again), printed);
}

}  // namespace
}  // namespace pruner

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pruner::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
