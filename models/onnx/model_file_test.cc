#include "models/onnx/model_file.h"

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string SmallModel() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.mutable_graph()->set_name("a graph with a name");
  model.mutable_graph()->add_node()->set_op_type("Relu");
  model.add_opset_import()->set_version(17);
  return model.SerializeAsString();
}

void ExpectRefused(absl::string_view bytes, absl::string_view text) {
  EXPECT_THAT(ParseOnnxModel(bytes, "m.onnx"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(StartsWith("m.onnx "), HasSubstr(text))));
}

TEST(ModelFileTest, ReadsAFile) {
  const auto folder = TempDirectory::Create();
  ASSERT_TRUE(folder.ok());
  const std::string path = folder->File("small.onnx");
  ASSERT_TRUE(WriteFileAtomically(path, SmallModel()).ok());
  const auto model = ReadOnnxModel(path);
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->graph().name(), "a graph with a name");
}

TEST(ModelFileTest, SaysWhatIsWrongWithAFile) {
  const auto folder = TempDirectory::Create();
  ASSERT_TRUE(folder.ok());
  const std::string path = folder->File("large.onnx");
  EXPECT_THAT(ReadOnnxModel(path),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(path)));
  // Of 4 GiB, none of which is on the disk.
  ASSERT_TRUE(WriteFileAtomically(path, "").ok());
  std::filesystem::resize_file(path, int64_t{1} << 32);
  EXPECT_THAT(ReadOnnxModel(path),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(StartsWith(path), HasSubstr("external data"))));
}

TEST(ModelFileTest, SaysWhatIsWrongWithBytes) {
  const std::string model = SmallModel();
  ExpectRefused("", "is empty");
  ExpectRefused("This is a text, and no model.", "is not an ONNX model");
  ExpectRefused("\x89PNG\r\n\x1a\n", "is not an ONNX model");
  ExpectRefused(model.substr(0, 8), "is cut short");
  ExpectRefused(model.substr(0, 2), "has no graph");

  onnx::TensorProto tensor;  // As the inputs beside a model.
  tensor.add_dims(3);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  ExpectRefused(tensor.SerializeAsString(), "is not an ONNX model");

  onnx::ModelProto newer;
  ASSERT_TRUE(newer.ParseFromString(model));
  newer.set_ir_version(99);
  ExpectRefused(newer.SerializeAsString(), "has version 99 of the ONNX format");
}

TEST(ModelFileTest, RefusesEveryPrefix) {
  const std::string model = SmallModel();
  // But for what comes after the graph.
  const size_t graph_end = model.size() - 4;
  for (size_t size = 0; size < graph_end; ++size) {
    EXPECT_FALSE(ParseOnnxModel(model.substr(0, size), "m.onnx").ok()) << size;
  }
}

}  // namespace
}  // namespace pruner
