// What converters make of numbers that make no sense, which models from
// anywhere may have; onnx_conformance_test has those that do.
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/graph/operator_graph.h"
#include "models/onnx/element_type.h"
#include "models/onnx/importer.h"
#include "models/onnx/onnx_graph.h"
#include "models/onnx/onnx_node.h"
#include "models/onnx/tensor_data.h"
#include "models/onnx/value_info.h"
#include "models/operators/shape.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

using Ints = std::vector<int64_t>;

// A node "y" of "x", which is {2, 3, 4}, and of lists of integers.
struct NodeOfX {
  std::string op;
  std::vector<Ints> lists;
  std::map<std::string, OnnxAttribute, std::less<>> attributes = {};
};

absl::StatusOr<OperatorGraph> Import(const NodeOfX& given) {
  OnnxGraph graph{.opset = 18};
  const std::vector<OnnxDim> dims = {
      {.extent = 2}, {.extent = 3}, {.extent = 4}};
  graph.inputs.push_back({.name = "x", .dims = dims});
  graph.outputs.push_back({.name = "y"});
  OnnxNode node{.name = "node", .op_type = given.op, .inputs = {"x"}};
  node.outputs = {"y"};
  node.attributes = given.attributes;
  for (const Ints& list : given.lists) {
    const std::string name = absl::StrCat("list", graph.initializers.size());
    graph.initializers[name] = {.type = DataType::kInt64,
                                .dims = {static_cast<int64_t>(list.size())},
                                .ints = list};
    node.inputs.push_back(name);
  }
  graph.nodes.push_back(std::move(node));
  return ImportOnnxGraph(graph);
}

TEST(ConvertersTest, RefuseWhatMakesNoSense) {
  const struct {
    NodeOfX node;
    absl::string_view reason;
  } kCases[] = {
      {{"CenterCropPad", {{kMost}}, {{"axes", Ints{0}}}}, "wants an extent of"},
      {{"Concat", {}}, "axis"},
      {{"Concat", {{1}}, {{"axis", int64_t{3}}}}, "has axis 3 of a tensor"},
      {{"CumSum", {{kLeast}}}, "has axis -9223372036854775808"},
      {{"CumSum", {{0, 1}}}, "must have one axis"},
      {{"Cast", {}, {{"to", int64_t{2}}}}, "makes elements of type UINT8"},
      {{"Cast", {}, {{"to", kMost}}},
       "makes elements of type 9223372036854775"},
      {{"DepthToSpace", {}, {{"blocksize", int64_t{2}}}}, "which must be 4"},
      {{"EyeLike", {}}, "makes a matrix like {2, 3, 4}"},
      {{"Expand", {{5, 3, 4}}}, "{5, 3, 4}"},
      {{"Expand", {Ints(100, 1)}}, "wants 100 dimensions"},
      {{"Expand", {{kMost, kMost, 2, 3, 4}}}, "has more than"},
      {{"Flatten", {}, {{"axis", int64_t{4}}}}, "has axis 4"},
      {{"Gather", {{0}}, {{"axis", int64_t{-4}}}}, "has axis -4"},
      {{"Pad", {{kLeast, 0, 0, 0, 0, 0}}}, "has a pad of"},
      {{"Pad", {{kMost, 0, 0, 0, 0, 0}}}, "has a pad of"},
      {{"Pad", {{-1, 0, 0, -1, 0, 0}}}, "takes all of dimension 0 away"},
      {{"Pad", {{1, 1}}}, "has 2 pads for 3 axes"},
      {{"ReduceSum", {{3}}}, "has axis 3"},
      {{"ReduceSum", {{1, -2}}}, "has an axis twice"},
      {{"Reshape", {{-1, -1}}}, "cannot bring {2, 3, 4} into shape {-1, -1}"},
      {{"Reshape", {{-2, 12}}}, "has an extent of -2"},
      {{"Reshape", {{0, 0, 0, 0}}}, "copies extent 3"},
      {{"Reshape", {{5, -1}}}, "cannot bring"},
      {{"Reshape", {{kMost, kMost, -1}}}, "has more than"},
      {{"Slice", {{0}, {1}, {7}}}, "has axis 7"},
      {{"Slice", {{0}, {1}, {0}, {0}}}, "has a step of 0"},
      {{"Slice", {{0}, {1, 2}}}, "has 1 starts and 2 ends"},
      {{"Slice", {{kLeast}, {kMost}, {0}, {kLeast}}}, "has extent 0"},
      {{"Split", {{3}}}, "has split = {3} of 2 elements"},
      {{"Split", {{1, 1}}}, "for 1 outputs"},
      {{"Squeeze", {{0}}}, "cannot remove dimension 0 of {2, 3, 4}"},
      {{"Tile", {{1, 2}}}, "has 2 repeats for 3 dimensions"},
      {{"Tile", {{kMost, 1, 1}}}, "has a repeat of"},
      {{"Tile", {{kMaxTensorElements, kMaxTensorElements, 1}}},
       "has more than"},
      {{"TopK", {{5}}}, "k = 5"},
      {{"TopK", {{1, 1}}}, "must have one k"},
      {{"Transpose", {}, {{"perm", Ints{0, 0, 1}}}},
       "does not have each of 3 dimensions once"},
      {{"Transpose", {}, {{"perm", Ints{}}}},
       "does not have each of 3 dimensions once"},
      {{"Trilu", {{1, 2}}}, "must have one k"},
      {{"Unsqueeze", {Ints(62, 0)}}, "wants 65 dimensions"},
  };
  for (const auto& test : kCases) {
    SCOPED_TRACE(absl::StrCat(test.node.op, ": ", test.reason));
    EXPECT_THAT(Import(test.node), StatusIs(absl::StatusCode::kInvalidArgument,
                                            HasSubstr(test.reason)));
  }
}

TEST(ConvertersTest, NameTheNode) {
  EXPECT_THAT(Import({"Tile", {{1, 2}}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("Tile \"node\" has 2 repeats")));
  EXPECT_THAT(
      Import({"Transpose", {}, {{"order", int64_t{1}}}}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("Transpose \"node\""), HasSubstr("order"))));
}

TEST(ConvertersTest, LargestNumbersAreWhatIsInside) {
  const struct {
    NodeOfX node;
    Shape shape;
  } kCases[] = {
      {{"Slice", {{kMost}, {kLeast}, {-1}, {-1}}}, {2, 3, 4}},
      {{"Slice", {{kLeast}, {kMost}, {2}, {kMost}}}, {2, 3, 1}},
      {{"Slice", {{-2, 1}, {kMost, -1}, {2, 1}}}, {2, 1, 2}},
      {{"Trilu", {{kLeast}}}, {2, 3, 4}},
      {{"Shape", {}, {{"start", kLeast}, {"end", kMost}}}, {3}},
  };
  for (const auto& test : kCases) {
    SCOPED_TRACE(test.node.op);
    const absl::StatusOr<OperatorGraph> graph = Import(test.node);
    ASSERT_TRUE(graph.ok()) << graph.status();
    EXPECT_EQ(graph->ShapeOf(graph->outputs[0]), test.shape);
  }
}

// Also where there are several steps, or none.
TEST(ConvertersTest, WhatNoOutputNeedsMayBeAnything) {
  OnnxGraph graph{.opset = 18};
  graph.inputs.push_back({.name = "x", .dims = {{{.extent = 2}}}});
  graph.outputs.push_back({.name = "y"});
  graph.nodes = {
      {.name = "unknown", .op_type = "Foo", .inputs = {"x"}, .outputs = {"a"}},
      {.name = "also", .op_type = "Relu", .inputs = {"a"}, .outputs = {"b"}},
      {.name = "node", .op_type = "Relu", .inputs = {"x"}, .outputs = {"y"}}};
  const absl::StatusOr<OperatorGraph> imported = ImportOnnxGraph(graph);
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(imported->nodes.size(), 1);
}

TEST(ConvertersTest, OutputsHaveTheModelsNames) {
  const NodeOfX kCases[] = {
      {"Tile", {{2, 2, 2}}},
      {"Tile", {{1, 1, 1}}},
      {"Identity", {}},
      {"Size", {}},
  };
  for (const NodeOfX& node : kCases) {
    SCOPED_TRACE(node.op);
    const absl::StatusOr<OperatorGraph> graph = Import(node);
    ASSERT_TRUE(graph.ok()) << graph.status();
    EXPECT_EQ(graph->tensors[graph->inputs[0]].name, "x");
    EXPECT_EQ(graph->tensors[graph->outputs[0]].name, "y");
  }
}

absl::Status ImportRange(int64_t start, int64_t limit, int64_t delta) {
  OnnxGraph graph{.opset = 18};
  graph.outputs.push_back({.name = "y"});
  OnnxNode node{.name = "range", .op_type = "Range"};
  node.outputs = {"y"};
  for (const int64_t value : {start, limit, delta}) {
    node.inputs.push_back(absl::StrCat("value", node.inputs.size()));
    graph.initializers[node.inputs.back()] = {.type = DataType::kInt64,
                                              .ints = {value}};
  }
  graph.nodes.push_back(std::move(node));
  return ImportOnnxGraph(graph).status();
}

TEST(ConvertersTest, CountsAreLimitedBeforeTheyAreMade) {
  EXPECT_THAT(ImportRange(0, int64_t{1} << 40, 1),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("which are more than 4194304 elements")));
  EXPECT_THAT(ImportRange(0, 1, 0),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("which are more than 4194304 elements")));
  EXPECT_THAT(
      ImportRange(kMost, 0, kLeast / 2),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("beyond 2^53")));
}

// The page that errors name.
TEST(ConvertersTest, TheListOfOperatorsIsTrue) {
  const std::string page = ReadFile("docs/onnx.md").value();
  const std::string names =
      absl::StrJoin(KnownOnnxOperators(), ", ",
                    [](std::string* out, const std::string& name) {
                      absl::StrAppend(out, "`", name, "`");
                    });
  EXPECT_THAT(absl::StrReplaceAll(page, {{"\n", " "}}),
              HasSubstr("## Operators  " + names + "."));
}

}  // namespace
}  // namespace pruner
