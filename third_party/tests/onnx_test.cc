// ONNX's messages: that they are what the field numbers of stored models say.
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"

namespace pruner {
namespace {

TEST(OnnxTest, ReadsAModelByTheFieldNumbersOfTheFormat) {
  // ir_version (1) 8; graph (7) with a node (1) of op_type (4) "Relu".
  constexpr absl::string_view kModel("\x08\x08\x3a\x08\x0a\x06\x22\x04Relu",
                                     12);
  onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(kModel));
  EXPECT_EQ(model.ir_version(), 8);
  ASSERT_EQ(model.graph().node_size(), 1);
  EXPECT_EQ(model.graph().node(0).op_type(), "Relu");
  EXPECT_EQ(onnx::IR_VERSION, 14);
  EXPECT_EQ(onnx::TensorProto::BFLOAT16, 16);
}

}  // namespace
}  // namespace pruner
