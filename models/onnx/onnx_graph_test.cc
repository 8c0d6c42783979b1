#include "models/onnx/onnx_graph.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "models/onnx/element_type.h"
#include "models/onnx/tensor_data.h"
#include "onnx/onnx.pb.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr absl::string_view kInput = R"(
  input { name: "x" type { tensor_type { elem_type: 1 shape {
    dim { dim_param: "batch" } dim { dim_value: 3 }
    dim { dim_value: -1 } dim {} } } } })";
constexpr absl::string_view kOutput =
    "output { name: 'y' type { tensor_type { elem_type: 1 } } }";

absl::StatusOr<OnnxGraph> ReadModel(absl::string_view text) {
  onnx::ModelProto model;
  if (!google::protobuf::TextFormat::ParseFromString(text, &model)) {
    return absl::UnknownError("the test's model is no text proto");
  }
  return ReadOnnxGraph(model, std::nullopt);
}

// Of a graph with input "x" and output "y".
absl::StatusOr<OnnxGraph> Read(absl::string_view graph) {
  return ReadModel(
      absl::StrCat("opset_import { version: 17 } graph { name: 'g'", kInput,
                   kOutput, graph, "}"));
}

std::vector<std::string> Names(const OnnxGraph& graph) {
  std::vector<std::string> names;
  for (const OnnxNode& node : graph.nodes) names.push_back(node.name);
  return names;
}

TEST(OnnxGraphTest, HasWhatTheModelSays) {
  const auto graph = Read(R"(
    initializer { name: "w" dims: 2 data_type: 1 float_data: [1, 2] }
    node { name: "n" op_type: "Add" input: ["x", "w"] output: "y" })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->name, "g");
  EXPECT_EQ(graph->opset, 17);
  ASSERT_EQ(graph->inputs.size(), 1);
  EXPECT_EQ(graph->inputs[0].name, "x");
  EXPECT_EQ(graph->inputs[0].type, DataType::kFloat32);
  EXPECT_THAT(*graph->inputs[0].dims,
              ElementsAre(OnnxDim{.symbol = "batch"}, OnnxDim{.extent = 3},
                          OnnxDim{}, OnnxDim{}));
  ASSERT_EQ(graph->outputs.size(), 1);
  EXPECT_EQ(graph->outputs[0].name, "y");
  EXPECT_EQ(graph->outputs[0].dims, std::nullopt);
  ASSERT_TRUE(graph->initializers.contains("w"));
  EXPECT_THAT(*graph->initializers.at("w").floats, ElementsAre(1, 2));
  EXPECT_THAT(Names(*graph), ElementsAre("n"));
}

TEST(OnnxGraphTest, AnInputWithAValueIsAConstant) {
  const auto graph = Read(R"(
    input { name: "w" type { tensor_type { elem_type: 1 } } }
    initializer { name: "w" data_type: 1 float_data: 1 }
    node { op_type: "Add" input: ["x", "w"] output: "y" })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->inputs.size(), 1);
  EXPECT_EQ(graph->initializers.size(), 1);
}

TEST(OnnxGraphTest, ConstantNodesAreInitializers) {
  const auto constant = [](absl::string_view name, absl::string_view value) {
    return absl::StrCat("node { op_type: 'Constant' output: '", name,
                        "' attribute { ", value, " } }");
  };
  const auto graph = Read(absl::StrCat(
      constant("a",
               "name: 'value' type: TENSOR t { dims: 1 data_type: 7 "
               "int64_data: 5 }"),
      constant("b", "name: 'value_float' type: FLOAT f: 0.5"),
      constant("c", "name: 'value_floats' type: FLOATS floats: [1, 2, 3]"),
      constant("d", "name: 'value_int' type: INT i: -1"),
      constant("e", "name: 'value_ints' type: INTS ints: [4, 5]"),
      "node { op_type: 'Relu' input: 'x' output: 'y' }"));
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_THAT(Names(*graph), ElementsAre("y"));
  EXPECT_THAT(graph->initializers.at("a").ints, ElementsAre(5));
  EXPECT_THAT(*graph->initializers.at("b").floats, ElementsAre(0.5));
  EXPECT_THAT(graph->initializers.at("b").dims, IsEmpty());
  EXPECT_THAT(*graph->initializers.at("c").floats, ElementsAre(1, 2, 3));
  EXPECT_THAT(graph->initializers.at("c").dims, ElementsAre(3));
  EXPECT_THAT(graph->initializers.at("d").ints, ElementsAre(-1));
  EXPECT_THAT(graph->initializers.at("d").dims, IsEmpty());
  EXPECT_THAT(graph->initializers.at("e").ints, ElementsAre(4, 5));
  EXPECT_THAT(graph->initializers.at("e").dims, ElementsAre(2));

  EXPECT_THAT(
      Read(constant("y", "name: 'value_string' type: STRING s: 'a'")).status(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("Constant \"y\" has an attribute "
                         "\"value_string\", which is not supported")));
  EXPECT_THAT(Read("node { op_type: 'Constant' output: 'y' }").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("Constant \"y\" must have one attribute")));
}

TEST(OnnxGraphTest, SortsNodes) {
  const auto graph = Read(R"(
    node { name: "last" op_type: "Add" input: ["a", "b"] output: "y" }
    node { name: "b" op_type: "Relu" input: ["x", "" ] output: "b" }
    node { name: "dead" op_type: "Relu" input: "x" output: ["", "dead"] }
    node { name: "a" op_type: "Relu" input: "b" output: "a" })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_THAT(Names(*graph), ElementsAre("b", "dead", "a", "last"));
}

TEST(OnnxGraphTest, ReadsLongChains) {
  onnx::ModelProto model;
  model.add_opset_import()->set_version(17);
  onnx::GraphProto& graph = *model.mutable_graph();
  constexpr int kNodes = 100000;
  // From the last to the first.
  for (int i = kNodes; i > 0; --i) {
    onnx::NodeProto& node = *graph.add_node();
    node.set_op_type("Relu");
    node.add_input(absl::StrCat("t", i - 1));
    node.add_output(absl::StrCat("t", i));
  }
  onnx::ValueInfoProto& input = *graph.add_input();
  input.set_name("t0");
  input.mutable_type()->mutable_tensor_type()->set_elem_type(1);
  *graph.add_output() = input;
  graph.mutable_output(0)->set_name(absl::StrCat("t", kNodes));
  const auto read = ReadOnnxGraph(model, std::nullopt);
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->nodes.size(), kNodes);
  EXPECT_EQ(read->nodes.front().outputs[0], "t1");

  // And closed to a ring.
  graph.mutable_node(kNodes - 1)->set_input(0, absl::StrCat("t", kNodes));
  EXPECT_THAT(
      ReadOnnxGraph(model, std::nullopt).status(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("is in a cycle")));
}

TEST(OnnxGraphTest, SaysWhatIsWrong) {
  constexpr absl::string_view kRelu =
      "node { name: 'r' op_type: 'Relu' input: 'x' output: 'y' }";
  const struct {
    std::string graph;
    absl::string_view text;
  } cases[] = {
      {"", "output \"y\" is made by no node"},
      {"node { name: 'n' op_type: 'Add' input: ['x', 'z'] output: 'y' }",
       "Add \"n\" reads \"z\", which is no input, no initializer and no node"},
      {absl::StrCat(kRelu, "node { op_type: 'Elu' input: 'x' output: 'y' }"),
       "tensor \"y\" is made twice, by Relu \"r\" and by Elu \"y\""},
      {"node { name: 'r' op_type: 'Relu' input: 'x' output: 'x' }",
       "tensor \"x\" is made twice, by an input of the graph and by Relu"},
      {absl::StrCat(kRelu, "initializer { data_type: 1 float_data: 1 }"),
       "an initializer has no name"},
      {absl::StrCat(kRelu, "initializer { name: 'y' data_type: 1 ",
                    "float_data: 1 }"),
       "tensor \"y\" is made twice, by an initializer and by Relu \"r\""},
      {absl::StrCat(kRelu, "initializer { name: 'w' data_type: 1 }"),
       "initializer \"w\" has 0 values of type FLOAT; its dims {} take 1"},
      {absl::StrCat(kRelu, "sparse_initializer { values { name: 's' } }"),
       "initializer \"s\" is sparse"},
      {absl::StrCat(kRelu, "input { type { tensor_type { elem_type: 1 } } }"),
       "an input of the graph has no name"},
      {absl::StrCat(kRelu, "input { name: 's' type { sequence_type {} } }"),
       "input \"s\" is no tensor"},
      {absl::StrCat(
           kRelu, "input { name: 's' type { tensor_type { elem_type: 8 } } }"),
       "input \"s\" is of type STRING, which is not supported"},
      {absl::StrCat(kRelu, kInput), "tensor \"x\" is made twice"},
      {absl::StrCat(kRelu, kOutput), "output \"y\" is listed twice"},
      {"node { name: 'i' op_type: 'If' input: 'x' output: 'y' attribute { "
       "name: 'then_branch' type: GRAPH } }",
       "If \"i\" has an attribute \"then_branch\" that is a graph"},
      {"node { name: 'r' op_type: 'Relu' input: 'y' output: 'y' }",
       "Relu \"r\" reads its own output"},
      {"node { name: 'p' op_type: 'Relu' input: 'q' output: 'p' }"
       "node { name: 'q' op_type: 'Elu' input: 'p' output: 'q' }"
       "node { name: 's' op_type: 'Relu' input: 'q' output: 'y' }",
       "Elu \"q\" is in a cycle: it reads what Relu \"p\" computes, which "
       "itself waits for Elu \"q\""},
  };
  for (const auto& [graph, text] : cases) {
    EXPECT_THAT(Read(graph).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)));
  }
}

TEST(OnnxGraphTest, SaysWhatIsWrongWithTheModel) {
  const std::string graph =
      absl::StrCat("graph {", kInput, kOutput,
                   "node { op_type: 'Relu' input: 'x' output: 'y' } }");
  const struct {
    absl::string_view model, text;
  } cases[] = {
      {"", "does not say for what version of ONNX's operators"},
      {"opset_import { domain: 'ai.onnx.ml' version: 3 }", "does not say"},
      {"opset_import { version: 6 }",
       "the model is for version 6 of ONNX's operators (opset); supported are "
       "7 to 28"},
      {"opset_import { version: 29 }", "is for version 29"},
      {"opset_import { version: 17 } "
       "opset_import { domain: 'ai.onnx' version: 18 }",
       "for two versions of ONNX's operators, 17 and 18"},
      {"opset_import { version: 17 } functions { name: 'Relu' }",
       "defines ONNX's operator Relu itself"},
  };
  for (const auto& [model, text] : cases) {
    EXPECT_THAT(ReadModel(absl::StrCat(model, graph)).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)));
  }
  EXPECT_TRUE(ReadModel(absl::StrCat("opset_import { domain: 'ai.onnx' version:"
                                     " 7 } opset_import { domain: 'com.other' "
                                     "version: 1 }",
                                     graph))
                  .ok());
}

}  // namespace
}  // namespace pruner
