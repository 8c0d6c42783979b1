#include "models/partition/activation_plan.h"

#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/partition/testing.h"
#include "models/rewrite/simplify.h"
#include "models/zoo/resnet.h"

namespace pruner {
namespace {

TEST(ActivationPlanTest, ChainAlternatesBetweenTwoBuffers) {
  GraphBuilder b("net");
  TensorId x = b.Input("x", {1, 16});
  std::vector<TensorId> products;
  for (int i = 0; i < 4; ++i) {
    const std::string name = "dense" + std::to_string(i);
    x = b.Dense(name, x, b.Constant(name + ".w", {16, 16}, {RandomValues{}}));
    products.push_back(x);
  }
  b.Output(x);
  const absl::StatusOr<OperatorGraph> graph = std::move(b).Build();
  ASSERT_TRUE(graph.ok()) << graph.status();
  const ActivationPlan plan = PlanActivations(*graph, *PartitionGraph(*graph));
  // 16 floats are 64 bytes; the last product is the output.
  EXPECT_EQ(plan.arena_offsets,
            (std::map<TensorId, int64_t>{
                {products[0], 0}, {products[1], 64}, {products[2], 0}}));
  EXPECT_EQ(plan.arena_bytes, 128);
  EXPECT_EQ(plan.output_buffers, (std::map<TensorId, int>{{products[3], 0}}));
  EXPECT_TRUE(plan.output_copies.empty());
}

TEST(ActivationPlanTest, ViewsExtendLifetimes) {
  GraphBuilder b("net");
  const TensorId y = b.Softmax("y", b.Input("x", {2, 8}));
  const TensorId view = b.Reshape("view", y, {4, 4});
  const TensorId z = b.Softmax("z", b.Softmax("between", view));
  b.Output(b.Add("sum", z, view));
  const absl::StatusOr<OperatorGraph> graph = std::move(b).Build();
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::map<TensorId, BufferLifetime> lifetimes =
      ArenaLifetimes(*graph, *PartitionGraph(*graph));
  EXPECT_EQ(lifetimes.at(y).first, 0);
  EXPECT_EQ(lifetimes.at(y).last, 2);
}

TEST(ActivationPlanTest, OutputsWithoutABufferOfTheirOwnAreCopied) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {2, 4});
  const TensorId y = b.Relu("y", x);
  b.Output(b.Reshape("x_view", x, {8}));
  b.Output(b.Reshape("y_view", y, {8}));
  b.Output(y);
  const absl::StatusOr<OperatorGraph> graph = std::move(b).Build();
  ASSERT_TRUE(graph.ok()) << graph.status();
  const ActivationPlan plan = PlanActivations(*graph, *PartitionGraph(*graph));
  EXPECT_EQ(plan.arena_bytes, 0);
  EXPECT_EQ(plan.output_buffers, (std::map<TensorId, int>{{y, 1}}));
  EXPECT_EQ(plan.output_copies,
            (std::vector<ActivationPlan::OutputCopy>{{x, 0}, {y, 2}}));
}

TEST(ActivationPlanTest, LiveTensorsOfRandomGraphsNeverOverlap) {
  for (uint64_t seed = 1000; seed < 1300; ++seed) {
    SCOPED_TRACE(seed);
    const OperatorGraph graph = RandomGraph(seed);
    const absl::StatusOr<PartitionResult> partition = PartitionGraph(graph);
    ASSERT_TRUE(partition.ok()) << partition.status();
    const ActivationPlan plan = PlanActivations(graph, *partition, 16);
    const std::map<TensorId, BufferLifetime> lifetimes =
        ArenaLifetimes(graph, *partition);
    ASSERT_EQ(plan.arena_offsets.size(), lifetimes.size());
    for (const auto& [a, offset_a] : plan.arena_offsets) {
      const BufferLifetime& life_a = lifetimes.at(a);
      EXPECT_LE(offset_a + life_a.bytes, plan.arena_bytes);
      for (const auto& [b, offset_b] : plan.arena_offsets) {
        const BufferLifetime& life_b = lifetimes.at(b);
        if (a == b || life_a.last < life_b.first || life_b.last < life_a.first)
          continue;
        EXPECT_TRUE(offset_a + life_a.bytes <= offset_b ||
                    offset_b + life_b.bytes <= offset_a)
            << graph.tensors[a].name << " and " << graph.tensors[b].name;
      }
    }
  }
}

TEST(ActivationPlanTest, Resnet50NeedsItsPeakOnly) {
  const absl::StatusOr<OperatorGraph> graph = Simplify(*Resnet50({}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const absl::StatusOr<PartitionResult> partition = PartitionGraph(*graph);
  ASSERT_TRUE(partition.ok()) << partition.status();
  std::vector<BufferLifetime> buffers;
  int64_t total = 0;
  for (const auto& [tensor, lifetime] : ArenaLifetimes(*graph, *partition)) {
    buffers.push_back(lifetime);
    total += lifetime.bytes;
  }
  const ActivationPlan plan = PlanActivations(*graph, *partition);
  EXPECT_LE(plan.arena_bytes, PeakLiveBytes(buffers) * 11 / 10);
  EXPECT_LT(plan.arena_bytes, total / 5);
}

}  // namespace
}  // namespace pruner
