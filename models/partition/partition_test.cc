#include "models/partition/partition.h"

#include <set>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/graph/interpreter.h"
#include "models/partition/testing.h"
#include "models/rewrite/simplify.h"
#include "models/zoo/resnet.h"
#include "models/zoo/tiny.h"

namespace pruner {
namespace {

PartitionResult Partitioned(const OperatorGraph& graph) {
  absl::StatusOr<PartitionResult> result = PartitionGraph(graph);
  EXPECT_TRUE(result.ok()) << result.status();
  return *std::move(result);
}

OperatorGraph Built(GraphBuilder builder) {
  absl::StatusOr<OperatorGraph> graph = std::move(builder).Build();
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

// The nodes' names of each instance, as "a+b c+d".
std::string Groups(const OperatorGraph& graph) {
  std::string text;
  for (const SubgraphInstance& instance : Partitioned(graph).instances) {
    if (!text.empty()) text += ' ';
    for (const int node : instance.nodes) {
      if (node != instance.nodes[0]) text += '+';
      text += graph.NameOf(graph.nodes[node]);
    }
  }
  return text;
}

// Every node once, inputs before their readers, counts that add up.
void CheckPartition(const OperatorGraph& graph,
                    const PartitionResult& partition) {
  std::vector<int> covered(graph.nodes.size(), 0);
  for (const int view : partition.views) ++covered[view];
  for (const int join : partition.joins) ++covered[join];
  std::set<TensorId> available(graph.inputs.begin(), graph.inputs.end());
  for (const auto& [constant, data] : graph.constants)
    available.insert(constant);
  std::vector<int> counts(partition.subgraphs.size(), 0);
  for (const SubgraphInstance& instance : partition.instances) {
    for (const int node : instance.nodes) ++covered[node];
    for (const TensorId input : instance.inputs) {
      EXPECT_TRUE(available.contains(partition.storage[input]))
          << graph.tensors[input].name;
    }
    EXPECT_EQ(graph.nodes[instance.nodes.back()].output, instance.output);
    available.insert(instance.destination.whole);
    ++counts[instance.subgraph];
    EXPECT_EQ(
        instance.inputs.size(),
        partition.subgraphs[instance.subgraph].subgraph.body.inputs.size());
  }
  EXPECT_EQ(covered, std::vector<int>(graph.nodes.size(), 1));
  for (const TensorId output : graph.outputs) {
    EXPECT_TRUE(available.contains(partition.storage[output]));
  }
  for (size_t i = 0; i < counts.size(); ++i) {
    EXPECT_EQ(partition.subgraphs[i].count, counts[i]);
  }
}

void CheckExecution(const OperatorGraph& graph,
                    const PartitionResult& partition) {
  const std::vector<Array> inputs = RandomInputs(graph, 1);
  const absl::StatusOr<std::vector<Array>> expected = RunGraph(graph, inputs);
  ASSERT_TRUE(expected.ok()) << expected.status();
  const std::vector<Array> outputs = RunPartitioned(
      graph, partition, PlanActivations(graph, partition), inputs);
  for (size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_EQ(outputs[i].shape, (*expected)[i].shape);
    EXPECT_EQ(outputs[i].values, (*expected)[i].values) << "output " << i;
  }
}

TEST(PartitionTest, ElementwiseChainsJoinTheirAnchor) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {1, 4, 4, 2});
  const TensorId w = b.Constant("w", {1, 1, 2, 2}, {RandomValues{}});
  const TensorId bias = b.Constant("bias", {2}, {RandomValues{}});
  TensorId y =
      b.Relu("relu", b.BiasAdd("biased", b.Conv2d("conv", x, w), bias));
  y = b.Relu("relu2", b.MaxPool2d("pool", y, {.kernel = {2, 2}}));
  b.Output(y);
  EXPECT_EQ(Groups(Built(std::move(b))), "conv+biased+relu pool+relu2");
}

TEST(PartitionTest, AnAddJoinsTheLaterProducer) {
  for (const bool swapped : {false, true}) {
    GraphBuilder b("net");
    const TensorId x = b.Input("x", {1, 4, 4, 2});
    const TensorId w = b.Constant("w", {1, 1, 2, 2}, {RandomValues{}});
    const TensorId first = b.Conv2d("first", x, w);
    const TensorId second = b.Conv2d("second", x, w);
    b.Output(b.Add("sum", swapped ? second : first, swapped ? first : second));
    EXPECT_EQ(Groups(Built(std::move(b))), "first second+sum");
  }
}

TEST(PartitionTest, AnAddJoinsTheEarlierProducerIfOthersReadTheLater) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {1, 4, 4, 2});
  const TensorId w = b.Constant("w", {1, 1, 2, 2}, {RandomValues{}});
  const TensorId first = b.Conv2d("first", x, w);
  const TensorId second = b.Conv2d("second", x, w);
  b.Output(b.Add("sum", first, second));
  b.Output(b.Relu("relu", second));
  // It then runs after the later one.
  const OperatorGraph graph = Built(std::move(b));
  EXPECT_EQ(Groups(graph), "second first+sum relu");
  CheckExecution(graph, Partitioned(graph));
}

TEST(PartitionTest, WhatFlowsThroughOneNodeIsOneKernelAndOutputsEndIt) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {1, 4});
  const TensorId w = b.Constant("w", {4, 4}, {RandomValues{}});
  const TensorId shared = b.Dense("shared", x, w);
  const TensorId left = b.Relu("left", shared);
  const TensorId sum = b.Add("sum", left, shared);
  b.Output(sum);
  b.Output(b.Relu("after", sum));
  const OperatorGraph graph = Built(std::move(b));
  EXPECT_EQ(Groups(graph), "shared+left+sum after");
  CheckExecution(graph, Partitioned(graph));
}

TEST(PartitionTest, WhatHasReadersElsewhereEndsAKernel) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {1, 4});
  const TensorId w = b.Constant("w", {4, 4}, {RandomValues{}});
  const TensorId shared = b.Dense("shared", x, w);
  const TensorId left = b.Relu("left", shared);
  b.Output(b.Add("sum", left, b.Softmax("softmax", shared)));
  EXPECT_EQ(Groups(Built(std::move(b))), "shared softmax+left+sum");
}

TEST(PartitionTest, OperandsAreBroadcastWithinAKernel) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {2, 3, 4, 5});
  TensorId y = b.Add("rows", b.Softmax("softmax", x), b.Input("r", {3, 1, 5}));
  y = b.Add("batch", b.Input("n", {2, 1, 1, 1}), y);
  b.Output(y);
  b.Output(
      b.Add("larger", b.Input("v", {5}), b.Relu("v2", b.Input("s", {2, 1}))));
  const OperatorGraph graph = Built(std::move(b));
  EXPECT_EQ(Groups(graph), "softmax+rows+batch v2 larger");
  CheckExecution(graph, Partitioned(graph));
}

TEST(PartitionTest, TheExpressionsOfKernelsAreBounded) {
  GraphBuilder b("net");
  TensorId x = b.Input("x", {4});
  // Each doubles what is to be computed.
  for (int i = 0; i < 20; ++i)
    x = b.Add("sum" + std::to_string(i), x,
              b.Relu("relu" + std::to_string(i), x));
  b.Output(x);
  const OperatorGraph graph = Built(std::move(b));
  EXPECT_GE(Partitioned(graph).instances.size(), 4u);
  CheckExecution(graph, Partitioned(graph));
}

TEST(PartitionTest, ParametersThatAreComputedAreNotJoined) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {2, 4});
  const TensorId bias =
      b.Reshape("bias", b.Relu("relu", b.Input("b", {1, 4})), {4});
  b.Output(b.BiasAdd("biased", x, bias));
  EXPECT_EQ(Groups(Built(std::move(b))), "relu biased");
  GraphBuilder c("net");
  const TensorId computed = c.Relu("relu", c.Input("b", {4}));
  c.Output(c.BiasAdd("biased", c.Input("x", {2, 4}), computed));
  EXPECT_EQ(Groups(Built(std::move(c))), "relu biased");
}

TEST(PartitionTest, ViewsShareStorage) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {2, 4});
  const TensorId y = b.Relu("y", x);
  const TensorId view = b.Identity("same", b.Reshape("view", y, {8}));
  b.Output(b.Relu("z", view));
  const OperatorGraph graph = Built(std::move(b));
  const PartitionResult partition = Partitioned(graph);
  EXPECT_EQ(Groups(graph), "y z");
  EXPECT_EQ(partition.views, (std::vector<int>{1, 2}));
  EXPECT_EQ(partition.storage[view], y);
  EXPECT_EQ(partition.storage[x], x);
}

TEST(PartitionTest, EqualSubgraphsAreOne) {
  GraphBuilder b("net");
  TensorId x = b.Input("x", {1, 4});
  for (int i = 0; i < 3; ++i) {
    const std::string name = "dense" + std::to_string(i);
    const TensorId w = b.Constant(
        name + ".w", {4, 4}, {RandomValues{.seed = static_cast<uint64_t>(i)}});
    x = b.Relu(name + ".relu", b.Dense(name, x, w));
  }
  b.Output(b.Softmax("prob", x));
  const PartitionResult partition = Partitioned(Built(std::move(b)));
  ASSERT_EQ(partition.instances.size(), 4u);
  ASSERT_EQ(partition.subgraphs.size(), 2u);
  EXPECT_EQ(partition.subgraphs[0].count, 3);
  EXPECT_EQ(partition.subgraphs[1].count, 1);
}

TEST(PartitionTest, LongChainsAreCut) {
  constexpr int kNodes = 10'000;
  GraphBuilder b("net");
  TensorId x = b.Input("x", {1, 4});
  for (int i = 0; i < kNodes; ++i) x = b.Relu("y" + std::to_string(i), x);
  b.Output(x);
  const OperatorGraph graph = Built(std::move(b));
  const PartitionResult partition = Partitioned(graph);
  CheckPartition(graph, partition);
  ASSERT_EQ(partition.instances.size(), (kNodes + 63u) / 64);
  EXPECT_EQ(partition.instances[0].nodes.size(), 64u);
  // All but the last are the same kernel.
  EXPECT_EQ(partition.subgraphs.size(), 2u);
}

TEST(PartitionTest, RefusesAnInvalidGraph) {
  OperatorGraph graph = RandomGraph(1);
  graph.outputs.clear();
  EXPECT_FALSE(PartitionGraph(graph).ok());
}

TEST(PartitionTest, Resnet50) {
  const absl::StatusOr<OperatorGraph> graph = Simplify(*Resnet50({}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const PartitionResult partition = Partitioned(*graph);
  CheckPartition(*graph, partition);
  // 53 convolutions, two poolings, the classifier.
  EXPECT_EQ(partition.instances.size(), 56u);
  // Convolutions: 1 in the stem, 5 in the first stage, 6 in each of the others.
  EXPECT_EQ(partition.subgraphs.size(), 24u + 3);
  int convolutions = 0;
  double flops = 0;
  for (const UniqueSubgraph& unique : partition.subgraphs) {
    const OperatorGraph& body = unique.subgraph.body;
    if (std::holds_alternative<Conv2d>(body.nodes[0].op))
      convolutions += unique.count;
    flops += unique.count * GraphFlops(body);
  }
  EXPECT_EQ(convolutions, 53);
  EXPECT_EQ(flops, GraphFlops(*graph));
}

TEST(PartitionTest, TinyRunsInstanceByInstance) {
  const absl::StatusOr<OperatorGraph> graph =
      Simplify(*Tiny({.batch = 2, .seed = 1}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const PartitionResult partition = Partitioned(*graph);
  CheckPartition(*graph, partition);
  CheckExecution(*graph, partition);
}

TEST(PartitionTest, RandomGraphsRunInstanceByInstance) {
  size_t joins = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    const OperatorGraph graph = RandomGraph(seed);
    const PartitionResult partition = Partitioned(graph);
    CheckPartition(graph, partition);
    CheckExecution(graph, partition);
    if (testing::Test::HasFailure()) return;
    joins += partition.joins.size();
  }
  EXPECT_GE(joins, 20u);
}

}  // namespace
}  // namespace pruner
