#include "models/onnx/onnx_node.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "models/onnx/tensor_data.h"
#include "onnx/onnx.pb.h"

namespace pruner {
namespace {

using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

absl::StatusOr<OnnxNode> Read(const std::string& text) {
  onnx::NodeProto proto;
  if (!google::protobuf::TextFormat::ParseFromString(text, &proto)) {
    return absl::UnknownError("the test's node is no text proto");
  }
  return ReadOnnxNode(
      proto, [](const onnx::TensorProto& tensor, absl::string_view what) {
        return ReadOnnxTensor(tensor, std::nullopt, what);
      });
}

constexpr absl::string_view kNode = R"(
  name: "n" op_type: "Conv" domain: "ai.onnx"
  input: "x" input: "" input: "b" output: "" output: "y"
  attribute { name: "int" type: INT i: -3 }
  attribute { name: "float" type: FLOAT f: 0.5 }
  attribute { name: "string" type: STRING s: "SAME" }
  attribute { name: "ints" type: INTS ints: 1 ints: 2 }
  attribute { name: "no_ints" type: INTS }
  attribute { name: "floats" type: FLOATS floats: 1.5 }
  attribute { name: "strings" type: STRINGS strings: "a" strings: "b" }
  attribute { name: "tensor" type: TENSOR t { data_type: 7 int64_data: 9 } }
)";

TEST(OnnxNodeTest, HasWhatTheModelSays) {
  const auto node = Read(std::string(kNode));
  ASSERT_TRUE(node.ok()) << node.status();
  EXPECT_EQ(node->Label(), "Conv \"n\"");
  EXPECT_EQ(node->domain, "");
  EXPECT_THAT(node->inputs, ElementsAre("x", "", "b"));
  EXPECT_TRUE(node->HasInput(0));
  EXPECT_FALSE(node->HasInput(1));
  EXPECT_FALSE(node->HasInput(3));
  EXPECT_FALSE(node->HasOutput(0));
  EXPECT_TRUE(node->HasOutput(1));
  EXPECT_THAT(node->Int("int"), IsOkAndHolds(-3));
  EXPECT_THAT(node->Float("float"), IsOkAndHolds(0.5));
  EXPECT_THAT(node->String("string"), IsOkAndHolds("SAME"));
  EXPECT_THAT(node->Ints("ints"), IsOkAndHolds(ElementsAre(1, 2)));
  EXPECT_THAT(node->Ints("no_ints"), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(node->Floats("floats"), IsOkAndHolds(ElementsAre(1.5)));
  EXPECT_THAT(node->Strings("strings"), IsOkAndHolds(ElementsAre("a", "b")));
  EXPECT_THAT(node->Tensor("tensor")->ints, ElementsAre(9));
}

TEST(OnnxNodeTest, HasDefaults) {
  const auto node = Read("op_type: 'Relu' output: 'y'");
  ASSERT_TRUE(node.ok()) << node.status();
  EXPECT_EQ(node->Label(), "Relu \"y\"");
  EXPECT_FALSE(node->Has("int"));
  EXPECT_THAT(node->Int("int", 4), IsOkAndHolds(4));
  EXPECT_THAT(node->Float("float", 0.25F), IsOkAndHolds(0.25));
  EXPECT_THAT(node->String("string", "NOTSET"), IsOkAndHolds("NOTSET"));
  EXPECT_THAT(node->Ints("ints", std::vector<int64_t>{7}),
              IsOkAndHolds(ElementsAre(7)));
  EXPECT_THAT(node->Int("int").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "Relu \"y\" has no attribute \"int\", which it needs"));
}

TEST(OnnxNodeTest, SaysThatAnAttributeIsOfAnotherType) {
  const auto node = Read(std::string(kNode));
  ASSERT_TRUE(node.ok()) << node.status();
  EXPECT_THAT(node->Int("ints", 1).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "Conv \"n\" has an attribute \"ints\" that is integers, "
                       "not an integer"));
  EXPECT_THAT(node->Tensor("float").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("is a float, not a tensor")));
}

TEST(OnnxNodeTest, NamesAnUnknownAttribute) {
  const auto node = Read(R"(
    op_type: "Relu" name: "r" output: "y"
    attribute { name: "b" type: INT } attribute { name: "a" type: INT })");
  ASSERT_TRUE(node.ok()) << node.status();
  EXPECT_TRUE(node->CheckAttributes({"a", "b", "c"}).ok());
  EXPECT_THAT(
      node->CheckAttributes({"a"}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "Relu \"r\" has an attribute \"b\", which is not supported"));
}

TEST(OnnxNodeTest, SaysWhatIsWrong) {
  const struct {
    std::string text;
    absl::string_view error;
  } cases[] = {
      {"name: 'n' output: 'y'", "node \"n\" has no operator"},
      {"name: 'n' op_type: 'Relu'", "Relu \"n\" has no output"},
      {"op_type: 'Relu' output: ''", "Relu \"\" has no output"},
      {"op_type: 'Gelu' domain: 'com.microsoft' output: 'y'",
       "Gelu \"y\" is an operator of \"com.microsoft\"; only ONNX's own are"},
      {"op_type: 'If' name: 'i' output: 'y' "
       "attribute { name: 'then_branch' type: GRAPH }",
       "If \"i\" has an attribute \"then_branch\" that is a graph of its own"},
      {"op_type: 'A' output: 'y' attribute { name: 'a' type: INT }"
       "attribute { name: 'a' type: FLOAT }",
       "A \"y\" has the attribute \"a\" twice"},
      {"op_type: 'A' output: 'y' attribute { type: INT }",
       "A \"y\" has an attribute without a name"},
      {"op_type: 'A' output: 'y' attribute { name: 'a' }",
       "A \"y\" has an attribute \"a\" that has no type"},
      {"op_type: 'A' output: 'y' attribute { name: 'a' type: SPARSE_TENSOR }",
       "is of type SPARSE_TENSOR, which is not supported"},
      {"op_type: 'A' output: 'y' "
       "attribute { name: 'a' type: INT ref_attr_name: 'b' }",
       "stands for one of a function"},
      {"op_type: 'A' output: 'y' "
       "attribute { name: 'a' type: TENSOR t { data_type: 1 dims: -1 } }",
       "A \"y\", attribute \"a\" has dims {-1}, of which one is negative"},
  };
  for (const auto& [text, error] : cases) {
    EXPECT_THAT(Read(text).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(error)));
  }
}

}  // namespace
}  // namespace pruner
