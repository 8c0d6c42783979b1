#include "models/graph/interpreter.h"

#include <cmath>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"

namespace pruner {
namespace {

TEST(InterpreterTest, RunsNodesInOrderAndReturnsOutputsInOrder) {
  GraphBuilder builder("net");
  const TensorId x = builder.Input("x", {2, 2});
  const TensorId z = builder.Input("z", {2, 2});
  const TensorId w =
      builder.Constant("w", {2, 2}, {MakeExplicit({1, 2, 3, 4})});
  const TensorId product = builder.Dense("product", x, w);
  const TensorId sum = builder.Add("sum", product, z);
  builder.Output(builder.Relu("relu", sum));
  builder.Output(product);
  builder.Output(x);
  const absl::StatusOr<OperatorGraph> graph = std::move(builder).Build();
  ASSERT_TRUE(graph.ok()) << graph.status();

  const std::vector<Array> inputs = {{{2, 2}, {1, 0, 0, -1}},
                                     {{2, 2}, {-5, 1, 1, 9}}};
  const absl::StatusOr<std::vector<Array>> outputs = RunGraph(*graph, inputs);
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  ASSERT_EQ(outputs->size(), 3u);
  // Rows of x pick rows of w, the second negated.
  EXPECT_EQ((*outputs)[1].values, (std::vector<double>{1, 2, -3, -4}));
  EXPECT_EQ((*outputs)[0].values, (std::vector<double>{0, 3, 0, 5}));
  EXPECT_EQ((*outputs)[2].values, inputs[0].values);
}

TEST(InterpreterTest, NumberOfThreadsDoesNotMatter) {
  GraphBuilder builder("net");
  const TensorId x = builder.Input("x", {2, 7, 7, 3});
  const TensorId w = builder.Constant("w", {3, 3, 3, 4}, {RandomValues{}});
  builder.Output(builder.Conv2d("y", x, w, {.padding = {1, 1, 1, 1}}));
  const absl::StatusOr<OperatorGraph> graph = std::move(builder).Build();
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<Array> inputs = RandomInputs(*graph, 1);
  const absl::StatusOr<std::vector<Array>> one = RunGraph(*graph, inputs);
  const absl::StatusOr<std::vector<Array>> five =
      RunGraph(*graph, inputs, {.threads = 5});
  ASSERT_TRUE(one.ok() && five.ok());
  EXPECT_EQ((*one)[0].values, (*five)[0].values);
}

TEST(InterpreterTest, OutputsMayBeRounded) {
  GraphBuilder builder("net");
  const TensorId third =
      builder.Apply("third", Exp{}, {builder.Input("x", {1})});
  const TensorId between = builder.Apply("between", Exp{}, {third});
  builder.Output(third);
  builder.Output(builder.Apply("log", Log{}, {between}));
  const absl::StatusOr<OperatorGraph> graph = std::move(builder).Build();
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<Array> inputs = {{{1}, {1}}};
  const std::vector<Array> outputs =
      *RunGraph(*graph, inputs, {.round_outputs = true});
  const double rounded = static_cast<float>(std::exp(1.0));
  EXPECT_EQ(outputs[0].values[0], rounded);
  EXPECT_EQ(outputs[1].values[0],
            static_cast<float>(std::log(std::exp(rounded))));
}

TEST(InterpreterTest, RefusesInputsThatDoNotFit) {
  GraphBuilder builder("net");
  builder.Output(builder.Relu("y", builder.Input("x", {2})));
  const absl::StatusOr<OperatorGraph> graph = std::move(builder).Build();
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(RunGraph(*graph, {}).status().message(),
            "graph \"net\" takes 1 inputs, not 0");
  const std::vector<Array> inputs = {{{3}, {1, 2, 3}}};
  EXPECT_EQ(RunGraph(*graph, inputs).status().message(),
            "input \"x\" of graph \"net\" has shape {2}; given are 3 values of "
            "shape {3}");
}

TEST(InterpreterTest, RelativeDifferenceIsOfTheLargest) {
  const Array a{{2}, {4, 1}};
  const Array b{{2}, {4, 2}};
  EXPECT_EQ(RelativeDifference(a, b), 0.25);
  EXPECT_EQ(RelativeDifference(b, b), 0);
}

}  // namespace
}  // namespace pruner
