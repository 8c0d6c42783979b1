// The tests that ONNX has of its operators, ready for who imports and runs
// them.
#ifndef MODELS_ONNX_NODE_TEST_CASE_H_
#define MODELS_ONNX_NODE_TEST_CASE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/onnx/node_tests.pb.h"
#include "models/onnx/onnx_graph.h"
#include "models/operators/data_type.h"
#include "models/operators/operators.h"

namespace pruner {

struct TypedArray {
  DataType type = DataType::kFloat32;
  Array array;
};

struct OnnxNodeCase {
  // Its inputs have the shapes of the test's. Those that are no data, but say
  // shapes, axes or counts, as Reshape's second, are initializers: networks
  // know them before they run.
  OnnxGraph graph;
  std::vector<TypedArray> inputs;   // of graph.inputs
  std::vector<TypedArray> outputs;  // of graph.outputs, as they should be
};

// The file that :node_tests makes. The errors of ReadFile; InvalidArgument if
// it is another.
absl::StatusOr<proto::OnnxNodeTests> ReadOnnxNodeTests(const std::string& path);

// The errors of ReadOnnxGraph and ReadOnnxTensor.
absl::StatusOr<OnnxNodeCase> MakeOnnxNodeCase(const proto::OnnxNodeTest& test);

}  // namespace pruner

#endif  // MODELS_ONNX_NODE_TEST_CASE_H_
