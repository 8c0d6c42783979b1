#include "models/onnx/input_shape.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/onnx/onnx_graph.h"
#include "models/onnx/value_info.h"
#include "models/operators/shape.h"

namespace pruner {
namespace {

using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

OnnxDim Fixed(int64_t extent) { return {.extent = extent}; }
OnnxDim Open(absl::string_view symbol) {
  return {.symbol = std::string(symbol)};
}

OnnxGraph TwoInputs() {
  OnnxGraph graph;
  graph.inputs.push_back(
      {.name = "image",
       .dims = {{Open("batch"), Fixed(3), Open("size"), Open("size")}}});
  graph.inputs.push_back({.name = "mask", .dims = {{Open("batch"), Open("")}}});
  graph.inputs.push_back({.name = "any"});
  return graph;
}

TEST(InputShapeTest, ParsesFlags) {
  const auto shape = ParseOnnxInputShape("image:1x3x224x224");
  ASSERT_TRUE(shape.ok()) << shape.status();
  EXPECT_EQ(shape->name, "image");
  EXPECT_EQ(shape->shape, (Shape{1, 3, 224, 224}));
  EXPECT_EQ(ParseOnnxInputShape("input:0:7")->name, "input:0");
  for (const absl::string_view wrong :
       {"", "image", ":1x2", "image:", "image:1xx2", "image:1x-2", "image:0",
        "image:1x3x224x", "image:99999999999999999999",
        "image:1000000x1000000"}) {
    EXPECT_THAT(ParseOnnxInputShape(wrong).status(),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << wrong;
  }
}

TEST(InputShapeTest, SaysWhichFlagFixesAShape) {
  const OnnxGraph graph = TwoInputs();
  EXPECT_THAT(StaticInputShape(graph.inputs[0]).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "input \"image\" is {batch, 3, size, size} in the "
                       "model; give its shape, as "
                       "--input_shape=image:1x3x224x224"));
  EXPECT_THAT(StaticInputShape(graph.inputs[1]).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("is {batch, ?} in the model")));
  EXPECT_THAT(StaticInputShape(graph.inputs[2]).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("is of unknown rank in the model")));
}

TEST(InputShapeTest, FixesSymbolsInAllInputs) {
  OnnxGraph graph = TwoInputs();
  ASSERT_TRUE(SetInputShape(graph, "image", {4, 3, 32, 32}).ok());
  EXPECT_THAT(StaticInputShape(graph.inputs[0]),
              IsOkAndHolds(Shape{4, 3, 32, 32}));
  EXPECT_EQ(OnnxDimsText(graph.inputs[1]), "{4, ?}");
  EXPECT_THAT(SetInputShape(graph, "mask", {5, 9}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "input \"mask\" is {4, ?} in the model and cannot be "
                       "{5, 9}"));
  ASSERT_TRUE(SetInputShape(graph, "mask", {4, 9}).ok());
  ASSERT_TRUE(SetInputShape(graph, "any", {7}).ok());
  EXPECT_THAT(StaticInputShape(graph.inputs[1]), IsOkAndHolds(Shape{4, 9}));
  EXPECT_THAT(StaticInputShape(graph.inputs[2]), IsOkAndHolds(Shape{7}));
}

TEST(InputShapeTest, SaysWhatIsWrongAndChangesNothing) {
  OnnxGraph graph = TwoInputs();
  const struct {
    absl::string_view name;
    Shape shape;
    absl::string_view text;
  } cases[] = {
      {"imag", {1}, "no input \"imag\"; the model's inputs are: image, mask"},
      {"image", {1, 3, 8}, "cannot be {1, 3, 8}"},
      {"image", {1, 4, 8, 8}, "cannot be {1, 4, 8, 8}"},
      {"image", {1, 3, 8, 9}, "{1, 3, 8, 9}: size would be two numbers"},
      {"image", {0, 3, 8, 8}, "extents must be at least 1"},
  };
  for (const auto& [name, shape, text] : cases) {
    EXPECT_THAT(SetInputShape(graph, name, shape),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)));
  }
  EXPECT_EQ(graph.inputs[0].dims, TwoInputs().inputs[0].dims);
  EXPECT_EQ(graph.inputs[1].dims, TwoInputs().inputs[1].dims);
}

TEST(InputShapeTest, ChecksShapesOfTheModel) {
  const OnnxValueInfo input = {.name = "x",
                               .dims = {{Fixed(1 << 20), Fixed(1 << 20)}}};
  EXPECT_THAT(StaticInputShape(input).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("for input \"x\"")));
}

}  // namespace
}  // namespace pruner
