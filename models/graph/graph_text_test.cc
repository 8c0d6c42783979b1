#include "models/graph/graph_text.h"

#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"

namespace pruner {
namespace {

// A graph with a node of every kind.
OperatorGraph EveryKind() {
  GraphBuilder b("every kind");
  uint64_t seed = 0;
  const auto constant = [&](const std::string& name, const Shape& shape) {
    return b.Constant(name, shape,
                      {RandomValues{.seed = ++seed, .low = 0.1, .high = 0.3}});
  };
  const TensorId image = b.Input("image", {1, 9, 9, 4});
  TensorId x = b.Conv2d("conv", image, constant("w", {3, 3, 2, 4}),
                        {.stride = {1, 2},
                         .padding = {1, 2, 3, 4},
                         .dilation = {2, 1},
                         .groups = 2});
  x = b.BatchNorm("norm", x, constant("scale", {4}), constant("shift", {4}),
                  constant("mean", {4}), constant("variance", {4}),
                  {.epsilon = 1e-3});
  const TensorId bias = b.Constant("bias", {4},
                                   {MakeExplicit({0.1f, -1e-30f, 3, 4}),
                                    {1.0 / 3, 2, 3, 4},
                                    {0.1, 0, 0, 0}});
  x = b.Relu6("relu6", b.Relu("relu", b.BiasAdd("biased", x, bias)));
  x = b.Apply("leaky", LeakyRelu{.alpha = 0.2}, {x});
  x = b.Apply("elu", Elu{.alpha = 0.3}, {x});
  x = b.Apply("sigmoid", Sigmoid{}, {x});
  x = b.Apply("hard_sigmoid", HardSigmoid{.alpha = 0.25, .beta = 0.4}, {x});
  x = b.Apply("hard_swish", HardSwish{}, {x});
  x = b.Apply("silu", Silu{}, {x});
  x = b.Apply("tanh", Tanh{}, {x});
  x = b.Apply("gelu", Gelu{}, {x});
  x = b.Apply("softplus", Softplus{}, {x});
  x = b.Apply("clip", Clip{.low = 0.5, .high = 0.75}, {x});
  x = b.Add("add", b.Identity("same", x), x);
  x = b.MaxPool2d(
      "max", x, {.kernel = {3, 2}, .stride = {1, 1}, .padding = {1, 0, 2, 1}});
  x = b.AvgPool2d("avg", x,
                  {.kernel = {2, 2},
                   .stride = {2, 2},
                   .padding = {0, 1, 0, 1},
                   .count_include_pad = true});
  x = b.Flatten("flat", b.GlobalAvgPool("pool", x));
  x = b.Softmax("prob", b.Dense("fc", x, constant("fc_w", {4, 3})));
  b.Output(x);
  absl::StatusOr<OperatorGraph> graph = std::move(b).Build();
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

TEST(GraphTextTest, EveryKindRoundTrips) {
  const OperatorGraph graph = EveryKind();
  const std::string text = PrintGraph(graph);
  const absl::StatusOr<OperatorGraph> parsed = ParseGraph(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(PrintGraph(*parsed), text);
  EXPECT_EQ(StructureHash(*parsed), StructureHash(graph));
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    EXPECT_EQ(parsed->nodes[i].op, graph.nodes[i].op)
        << graph.NameOf(graph.nodes[i]);
  }
  // Once numbered as the parser does, the very same value.
  const absl::StatusOr<OperatorGraph> again = ParseGraph(PrintGraph(*parsed));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*again, *parsed);
}

TEST(GraphTextTest, MissingAttributesHaveDefaults) {
  const absl::StatusOr<OperatorGraph> graph = ParseGraph(R"pb(
    name: "small"
    inputs {
      name: "x"
      shape: [ 1, 4, 4, 2 ]
    }
    constants {
      name: "w"
      shape: [ 1, 1, 2, 3 ]
      random { low: -1 high: 1 }
    }
    nodes {
      name: "y"
      inputs: [ "x", "w" ]
      conv2d {}
    }
    outputs: "y")pb");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->nodes[0].op, Operator(Conv2d{}));
  EXPECT_EQ(graph->ShapeOf(graph->outputs[0]), (Shape{1, 4, 4, 3}));
}

std::string Error(const std::string& text) {
  return std::string(ParseGraph(text).status().message());
}

TEST(GraphTextTest, ErrorsNameNodeAndField) {
  const std::string input =
      "name: 'n' inputs { name: 'x' shape: [1, 4, 4, 2] } ";
  EXPECT_EQ(Error(input + "nodes { name: 'y' inputs: 'x' } outputs: 'y'"),
            "node \"y\" has no operator");
  EXPECT_EQ(
      Error(input + "nodes { name: 'y' inputs: 'z' relu {} } outputs: 'y'"),
      "graph \"n\", node \"y\" reads \"z\", which is not an input, a constant "
      "or a "
      "node before it");
  EXPECT_EQ(
      Error(input +
            "nodes { name: 'y' inputs: 'x' max_pool2d { kernel { h: 2 } } }"
            " outputs: 'y'"),
      "graph \"n\", node \"y\", MaxPool2d(kernel=2,0 stride=1,1 "
      "padding=0,0,0,0) of "
      "{1, 4, 4, 2}: kernel.w = 0 is not between 1 and 1073741824");
  EXPECT_EQ(
      Error(input + "outputs: 'q'"),
      "graph \"n\", the list of outputs reads \"q\", which is not an input, a "
      "constant or a node before it");
  EXPECT_EQ(Error(input + "constants { name: 'c' shape: 2 } outputs: 'x'"),
            "constant \"c\" has neither values nor random");
  EXPECT_EQ(
      Error(input + "constants { name: 'c' shape: 2 values { value: 1 } } "
                    "outputs: 'x'"),
      "graph \"n\", constant \"c\": values has 1 elements, the shape 2");
  EXPECT_THAT(
      Error("name: 'n'\n  nods {}"),
      testing::MatchesRegex(
          "not the text of an operator graph: line 2, column .*: Message "
          "type .* has no field named \"nods\"."));
}

}  // namespace
}  // namespace pruner
