// The tests that ONNX has of its operators are there, and what they hold is
// read.
#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/onnx/model_file.h"
#include "models/onnx/node_tests.pb.h"
#include "models/onnx/onnx_graph.h"
#include "models/onnx/tensor_data.h"
#include "onnx/onnx.pb.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

class NodeTestsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto bytes = ReadFile("models/onnx/node_tests.binpb");
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    ASSERT_TRUE(tests_.ParseFromString(*bytes));
  }

  proto::OnnxNodeTests tests_;
};

TEST_F(NodeTestsTest, KnowTheNewestOperatorsThatWeDo) {
  EXPECT_EQ(tests_.newest_opset(), kNewestOnnxOpset);
}

TEST_F(NodeTestsTest, AreOfTheOperatorsOfNetworks) {
  std::map<std::string, int> tests;
  for (const proto::OnnxNodeTest& test : tests_.tests()) {
    const auto model = ParseOnnxModel(test.model(), test.name());
    ASSERT_TRUE(model.ok()) << model.status();
    for (const onnx::NodeProto& node : model->graph().node()) {
      ++tests[node.op_type()];
    }
  }
  for (const absl::string_view op :
       {"Add", "AveragePool", "BatchNormalization", "Clip", "Concat", "Conv",
        "Flatten", "Gemm", "GlobalAveragePool", "MatMul", "MaxPool", "Pad",
        "Relu", "Reshape", "Softmax", "Transpose"}) {
    EXPECT_GT(tests[std::string(op)], 0) << op;
  }
  EXPECT_GT(tests_.tests_size(), 900);
}

// Each is refused for what is known not to be supported, or read.
TEST_F(NodeTestsTest, AreRead) {
  int read = 0;
  for (const proto::OnnxNodeTest& test : tests_.tests()) {
    const auto model = ParseOnnxModel(test.model(), test.name());
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_EQ(model->graph().input_size(), test.inputs_size());
    EXPECT_EQ(model->graph().output_size(), test.outputs_size());
    const auto graph = ReadOnnxGraph(*model, std::nullopt);
    if (!graph.ok()) {
      EXPECT_THAT(graph.status().message(),
                  AnyOf(HasSubstr("only ONNX's own are supported"),
                        HasSubstr("of ONNX's operators"),
                        HasSubstr("is a graph of its own"),
                        HasSubstr("is of type "), HasSubstr("is sparse")))
          << test.name();
      continue;
    }
    ++read;
    for (const auto& tensors : {test.inputs(), test.outputs()}) {
      for (const std::string& bytes : tensors) {
        onnx::TensorProto tensor;
        ASSERT_TRUE(tensor.ParseFromString(bytes));
        const auto values = ReadOnnxTensor(tensor, std::nullopt, test.name());
        EXPECT_TRUE(values.ok()) << values.status();
      }
    }
  }
  EXPECT_GT(read, 900);
}

}  // namespace
}  // namespace pruner
