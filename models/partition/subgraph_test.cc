#include "models/partition/subgraph.h"

#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"

namespace pruner {
namespace {

struct Options {
  std::string prefix{};
  uint64_t seed = 0;
  bool shortcut_left = false;
  bool constant_weights = true;
  int64_t channels = 8;
};

// relu(conv(x) + shortcut) as nodes 0 to 2 of a network.
ExtractedSubgraph Residual(const Options& options) {
  GraphBuilder b("net");
  const std::string& prefix = options.prefix;
  const int64_t channels = options.channels;
  const TensorId shortcut = b.Input(prefix + "shortcut", {1, 4, 4, channels});
  const TensorId x = b.Input(prefix + "x", {1, 4, 4, channels});
  const Shape weights_shape = {3, 3, channels, channels};
  const TensorId w = options.constant_weights
                         ? b.Constant(prefix + "w", weights_shape,
                                      {RandomValues{.seed = options.seed}})
                         : b.Input(prefix + "w", weights_shape);
  const TensorId y = b.Conv2d(prefix + "y", x, w, {.padding = {1, 1, 1, 1}});
  const TensorId sum = options.shortcut_left
                           ? b.Add(prefix + "sum", shortcut, y)
                           : b.Add(prefix + "sum", y, shortcut);
  b.Output(b.Relu(prefix + "relu", sum));
  const absl::StatusOr<OperatorGraph> graph = std::move(b).Build();
  EXPECT_TRUE(graph.ok()) << graph.status();
  return ExtractSubgraph(*graph, {0, 1, 2});
}

TEST(SubgraphTest, InputsAreThoseReadFromOutside) {
  const ExtractedSubgraph extracted = Residual({});
  const OperatorGraph& body = extracted.subgraph.body;
  // x, w, shortcut, in the order of reading.
  EXPECT_EQ(extracted.inputs, (std::vector<TensorId>{1, 2, 0}));
  EXPECT_EQ(extracted.subgraph.constant_inputs, std::vector<int>{1});
  ASSERT_EQ(body.inputs.size(), 3u);
  EXPECT_EQ(body.ShapeOf(body.inputs[1]), (Shape{3, 3, 8, 8}));
  EXPECT_EQ(body.nodes.size(), 3u);
  EXPECT_TRUE(Validate(body).ok());
}

TEST(SubgraphTest, NamesValuesAndOrderOfOperandsAreDropped) {
  const Subgraph subgraph = Residual({}).subgraph;
  EXPECT_EQ(subgraph, Residual({.prefix = "other_", .seed = 7}).subgraph);
  EXPECT_EQ(subgraph, Residual({.shortcut_left = true}).subgraph);
  EXPECT_EQ(SubgraphHash(subgraph),
            SubgraphHash(Residual({.seed = 7}).subgraph));
}

TEST(SubgraphTest, ShapesAndConstantsMatter) {
  const Subgraph subgraph = Residual({}).subgraph;
  const Subgraph wider = Residual({.channels = 16}).subgraph;
  EXPECT_FALSE(subgraph == wider);
  EXPECT_NE(SubgraphHash(subgraph), SubgraphHash(wider));
  const Subgraph variable = Residual({.constant_weights = false}).subgraph;
  EXPECT_FALSE(subgraph == variable);
  EXPECT_NE(SubgraphHash(subgraph), SubgraphHash(variable));
}

TEST(SubgraphTest, ATensorReadTwiceIsOneInput) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {2, 4});
  const TensorId w = b.Constant("w", {4, 4}, {RandomValues{}});
  b.Output(b.Add("sum", x, b.Dense("y", x, w)));
  const absl::StatusOr<OperatorGraph> graph = std::move(b).Build();
  ASSERT_TRUE(graph.ok()) << graph.status();
  const ExtractedSubgraph extracted = ExtractSubgraph(*graph, {0, 1});
  EXPECT_EQ(extracted.inputs, (std::vector<TensorId>{x, w}));
}

TEST(SubgraphTest, SummaryIsReadable) {
  EXPECT_EQ(SubgraphSummary(Residual({}).subgraph),
            "Conv2d+Add+Relu {1, 4, 4, 8} {3, 3, 8, 8} -> {1, 4, 4, 8}");
}

TEST(SubgraphTest, TextRoundTrips) {
  const Subgraph subgraph = Residual({}).subgraph;
  const std::string text = PrintSubgraph(subgraph);
  const absl::StatusOr<Subgraph> parsed = ParseSubgraph(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, subgraph);
  EXPECT_EQ(PrintSubgraph(*parsed), text);
  EXPECT_THAT(text, testing::HasSubstr("constant_inputs: [1]"));
}

TEST(SubgraphTest, ParsingChecks) {
  Subgraph subgraph = Residual({}).subgraph;
  subgraph.constant_inputs = {1, 3};
  EXPECT_EQ(ParseSubgraph(PrintSubgraph(subgraph)).status().message(),
            "constant_inputs must ascend within the 3 inputs of the body; 3 "
            "does not");
  subgraph.constant_inputs = {1, 1};
  EXPECT_FALSE(ParseSubgraph(PrintSubgraph(subgraph)).ok());
  subgraph = Residual({}).subgraph;
  subgraph.body.outputs = {subgraph.body.nodes[0].output};
  EXPECT_THAT(ParseSubgraph(PrintSubgraph(subgraph)).status().message(),
              testing::HasSubstr("one output, that of its last node"));
  EXPECT_THAT(ParseSubgraph("bodi").status().message(),
              testing::StartsWith("not the text of a subgraph: line 1"));
}

}  // namespace
}  // namespace pruner
