#include "models/graph/operator_graph.h"

#include <utility>

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"

namespace pruner {
namespace {

// x + relu(conv(x)), named with a prefix.
OperatorGraph Residual(const std::string& prefix, int64_t channels,
                       uint64_t seed) {
  GraphBuilder builder(prefix);
  const TensorId x = builder.Input(prefix + "x", {1, 4, 4, channels});
  const TensorId w = builder.Constant(prefix + "w", {3, 3, channels, channels},
                                      {RandomValues{.seed = seed}});
  const TensorId y =
      builder.Conv2d(prefix + "y", x, w, {.padding = {1, 1, 1, 1}});
  builder.Output(
      builder.Add(prefix + "sum", x, builder.Relu(prefix + "relu", y)));
  absl::StatusOr<OperatorGraph> graph = std::move(builder).Build();
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

TEST(OperatorGraphTest, BuilderMakesValidGraphs) {
  const OperatorGraph graph = Residual("", 8, 1);
  EXPECT_TRUE(Validate(graph).ok()) << Validate(graph);
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_EQ(graph.NameOf(graph.nodes[0]), "y");
  EXPECT_EQ(graph.ShapeOf(graph.nodes[0].output), (Shape{1, 4, 4, 8}));
  EXPECT_EQ(InputShapes(graph, graph.nodes[0]),
            (std::vector<Shape>{{1, 4, 4, 8}, {3, 3, 8, 8}}));
  EXPECT_EQ(NodeFlops(graph, graph.nodes[1]), 128);
  EXPECT_EQ(GraphFlops(graph), 2.0 * 16 * 8 * 9 * 8 + 128 + 128);
}

TEST(OperatorGraphTest, ConsumersAndProducers) {
  const OperatorGraph graph = Residual("", 8, 1);
  const TensorId x = graph.inputs[0];
  EXPECT_EQ(Consumers(graph)[x], (std::vector<int>{0, 2}));
  EXPECT_EQ(Consumers(graph)[graph.outputs[0]], std::vector<int>{});
  EXPECT_EQ(Producers(graph)[x], -1);
  EXPECT_EQ(Producers(graph)[graph.outputs[0]], 2);
  EXPECT_TRUE(OutputMask(graph)[graph.outputs[0]]);
  EXPECT_FALSE(OutputMask(graph)[x]);
}

TEST(OperatorGraphTest, ReadingTwiceIsOneConsumer) {
  GraphBuilder builder("twice");
  const TensorId x = builder.Input("x", {2});
  builder.Output(builder.Add("sum", x, x));
  const absl::StatusOr<OperatorGraph> graph = std::move(builder).Build();
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(Consumers(*graph)[x], std::vector<int>{0});
}

TEST(OperatorGraphTest, HashSeesStructureOnly) {
  const uint64_t hash = StructureHash(Residual("", 8, 1));
  EXPECT_EQ(hash, StructureHash(Residual("other_", 8, 2)));
  EXPECT_NE(hash, StructureHash(Residual("", 16, 1)));
  OperatorGraph strided = Residual("", 8, 1);
  std::get<Conv2d>(strided.nodes[0].op).groups = 2;
  EXPECT_NE(hash, StructureHash(strided));
  OperatorGraph rewired = Residual("", 8, 1);
  rewired.nodes[2].inputs = {rewired.nodes[1].output, rewired.nodes[1].output};
  EXPECT_NE(hash, StructureHash(rewired));
  OperatorGraph other_output = Residual("", 8, 1);
  other_output.outputs = {other_output.nodes[0].output};
  EXPECT_NE(hash, StructureHash(other_output));
}

TEST(OperatorGraphTest, BuilderKeepsTheFirstError) {
  GraphBuilder builder("net");
  const TensorId x = builder.Input("x", {1, 8, 8, 3});
  const TensorId w = builder.Constant("w", {3, 3, 4, 8}, {RandomValues{}});
  const TensorId y = builder.Conv2d("conv1", x, w);
  EXPECT_EQ(y, kNoTensor);
  EXPECT_EQ(builder.ChannelsOf(y), 1);
  builder.Output(builder.Relu("relu1", y));
  EXPECT_EQ(std::move(builder).Build().status().message(),
            "graph \"net\", node \"conv1\", Conv2d(stride=1,1 padding=0,0,0,0 "
            "dilation=1,1 groups=1 channels_first=false) of {1, 8, 8, 3} "
            "{3, 3, 4, 8}: input has 3 "
            "channels, "
            "weights expect 4 in each of 1 groups");
}

TEST(OperatorGraphTest, BuilderRefusesBadDeclarations) {
  const auto error = [](auto&& declare) {
    GraphBuilder builder("net");
    declare(builder);
    return std::string(std::move(builder).Build().status().message());
  };
  EXPECT_EQ(error([](GraphBuilder& b) { b.Input("x", {1, 0}); }),
            "graph \"net\", input \"x\": shape {1, 0} has extent 0; extents "
            "must be at "
            "least 1");
  EXPECT_EQ(error([](GraphBuilder& b) {
              b.Output(b.Input("fits", {(1 << 29) - 1}));
              b.Input("x", {1 << 14, 1 << 15});
            }),
            "graph \"net\", input \"x\": shape {16384, 32768} has more than "
            "536870911 elements");
  EXPECT_EQ(error([](GraphBuilder& b) { b.Input("", {1}); }),
            "graph \"net\", input \"\": its name is empty");
  EXPECT_EQ(
      error([](GraphBuilder& b) { b.Relu("x", b.Input("x", {1})); }),
      "graph \"net\", node \"x\", Relu() of {1}: another tensor has this name");
  EXPECT_EQ(
      error([](GraphBuilder& b) { b.Relu("y", kNoTensor); }),
      "graph \"net\", node \"y\", Relu() of: input 0 is not defined before it");
  EXPECT_EQ(error([](GraphBuilder& b) { b.Output(3); }),
            "graph \"net\", output 0: it is not a tensor of the graph");
  EXPECT_EQ(error([](GraphBuilder& b) {
              const TensorId x = b.Input("x", {1});
              b.Output(x);
              b.Output(x);
            }),
            "graph \"net\", output \"x\": it is given twice");
  EXPECT_EQ(error([](GraphBuilder& b) { b.Input("x", {1}); }),
            "graph \"net\", outputs: there must be at least one");
  EXPECT_EQ(
      error([](GraphBuilder& b) { b.Constant("c", {2}, {MakeExplicit({1})}); }),
      "graph \"net\", constant \"c\": values has 1 elements, the shape 2");
}

TEST(OperatorGraphTest, ValidateFindsWhatBreaksARule) {
  const OperatorGraph graph = Residual("", 8, 1);
  OperatorGraph wrong_shape = graph;
  wrong_shape.tensors[graph.nodes[0].output].shape = {1, 4, 4, 9};
  EXPECT_EQ(
      Validate(wrong_shape).message(),
      "graph \"\": tensor \"y\" has shape {1, 4, 4, 9}, its node computes "
      "{1, 4, 4, 8}");
  OperatorGraph wrong_order = graph;
  std::swap(wrong_order.nodes[0], wrong_order.nodes[1]);
  EXPECT_EQ(
      Validate(wrong_order).message(),
      "graph \"\", node \"relu\", Relu() of: input 0 is not defined before it");
  OperatorGraph wrong_id = graph;
  wrong_id.nodes[0].inputs[0] = 99;
  EXPECT_EQ(Validate(wrong_id).message(),
            "graph \"\": there is no tensor number 99");
  OperatorGraph loose = graph;
  loose.tensors.push_back({"loose", {1}});
  EXPECT_EQ(
      Validate(loose).message(),
      "graph \"\": tensor \"loose\" is neither an input nor a constant nor the "
      "output of a node");
  OperatorGraph twice = graph;
  twice.constants.emplace(graph.inputs[0], ConstantData{RandomValues{}});
  EXPECT_FALSE(Validate(twice).ok());
}

}  // namespace
}  // namespace pruner
