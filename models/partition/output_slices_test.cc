#include "models/partition/output_slices.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/graph/interpreter.h"
#include "models/partition/partition.h"
#include "models/partition/testing.h"

namespace pruner {
namespace {

// A network of branches, convolutions of one input, and what becomes of its
// concatenation.
class Branches {
 public:
  TensorId Branch(int64_t channels) {
    const std::string name = "branch" + std::to_string(count_++);
    const TensorId w = b_.Constant(
        name + ".w", {1, 1, 16, channels},
        {RandomValues{.seed = static_cast<uint64_t>(count_), .low = -1}});
    return b_.Relu(name, b_.Conv2d(name + ".conv", x_, w));
  }
  TensorId Join(const std::vector<TensorId>& parts, int64_t axis = 3) {
    return b_.Apply("join", Concat{.axis = axis}, parts);
  }
  GraphBuilder& builder() { return b_; }
  TensorId input() const { return x_; }

  // The slices of the network's kernels, in their order; none of those that
  // have none. Expects that the network computes what it should.
  std::vector<OutputSlice> Slices() && {
    const absl::StatusOr<OperatorGraph> graph = std::move(b_).Build();
    EXPECT_TRUE(graph.ok()) << graph.status();
    const PartitionResult partition = *PartitionGraph(*graph);
    const std::vector<Array> inputs = RandomInputs(*graph, 1);
    EXPECT_EQ(RunPartitioned(*graph, partition,
                             PlanActivations(*graph, partition), inputs)[0]
                  .values,
              (*RunGraph(*graph, inputs))[0].values);
    std::vector<OutputSlice> slices;
    for (const SubgraphInstance& instance : partition.instances) {
      if (instance.destination.whole != instance.output)
        slices.push_back(instance.destination);
    }
    EXPECT_EQ(partition.joins.empty(), slices.empty());
    return slices;
  }

 private:
  GraphBuilder b_ = GraphBuilder("net");
  TensorId x_ = b_.Input("x", {1, 4, 4, 16});
  int count_ = 0;
};

TEST(OutputSlicesTest, BranchesWriteTheirChannels) {
  Branches net;
  const TensorId first = net.Branch(32);
  const TensorId pool = net.builder().MaxPool2d(
      "pool", net.input(), {.kernel = {3, 3}, .padding = {1, 1, 1, 1}});
  const TensorId join = net.Join({pool, first, net.Branch(5)});
  net.builder().Output(net.builder().Softmax("after", join));
  // Kernels in the order of their last nodes.
  EXPECT_EQ(std::move(net).Slices(),
            (std::vector<OutputSlice>{
                {.whole = join, .offset = 16, .rows = {32, 53}},
                {.whole = join, .offset = 0, .rows = {16, 53}},
                {.whole = join, .offset = 48, .rows = {5, 53}}}));
}

TEST(OutputSlicesTest, InTheCallersBuffer) {
  Branches net;
  const TensorId first = net.Branch(16), second = net.Branch(16);
  net.builder().Output(net.Join({first, second}));
  EXPECT_EQ(std::move(net).Slices().size(), 2u);
}

TEST(OutputSlicesTest, WhatLiesTogetherNeedsNoRows) {
  Branches net;
  const TensorId first = net.Branch(16), second = net.Branch(16);
  // A kernel without loops over channels alone.
  const TensorId reversed = net.builder().Apply("reversed",
                                                Slice{.starts = {0, 3, 0, 0},
                                                      .extents = {1, 4, 4, 16},
                                                      .steps = {1, -1, 1, 1}},
                                                {second});
  const TensorId join = net.Join({first, reversed}, /*axis=*/1);
  net.builder().Output(join);
  EXPECT_EQ(
      std::move(net).Slices(),
      (std::vector<OutputSlice>{{.whole = join, .offset = 0, .rows = {}},
                                {.whole = join, .offset = 256, .rows = {}}}));
}

TEST(OutputSlicesTest, WhatHasToBeCopied) {
  const auto slices = [](const auto& parts) {
    Branches net;
    net.builder().Output(net.Join(parts(net)));
    return std::move(net).Slices().size();
  };
  using Parts = std::vector<TensorId>;
  EXPECT_EQ(
      slices([](Branches& n) { return Parts{n.Branch(16), n.Branch(16)}; }),
      2u);
  // Not aligned.
  EXPECT_EQ(
      slices([](Branches& n) { return Parts{n.Branch(8), n.Branch(16)}; }), 0u);
  // Others' tensors.
  EXPECT_EQ(slices([](Branches& n) { return Parts{n.Branch(16), n.input()}; }),
            0u);
  // Twice the same.
  EXPECT_EQ(slices([](Branches& n) {
              const TensorId branch = n.Branch(16);
              return Parts{branch, branch};
            }),
            0u);
  // An output of the network; read by others.
  EXPECT_EQ(slices([](Branches& n) {
              const TensorId branch = n.Branch(16);
              n.builder().Output(branch);
              return Parts{n.Branch(16), branch};
            }),
            0u);
  EXPECT_EQ(slices([](Branches& n) {
              const TensorId branch = n.Branch(16);
              return Parts{branch, n.builder().Softmax("other", branch)};
            }),
            0u);
  // Loops over channels and others together.
  EXPECT_EQ(slices([](Branches& n) {
              return Parts{n.Branch(16),
                           n.builder().Apply("flipped",
                                             Slice{.starts = {0, 3, 0, 0},
                                                   .extents = {1, 4, 4, 16},
                                                   .steps = {1, -1, 1, 1}},
                                             {n.Branch(16)})};
            }),
            0u);
}

TEST(OutputSlicesTest, AConcatenationThatComputesIsAKernel) {
  Branches net;
  const TensorId join = net.Join({net.Branch(16), net.Branch(16)});
  net.builder().Output(net.builder().Relu("relu", join));
  EXPECT_EQ(std::move(net).Slices().size(), 0u);
}

}  // namespace
}  // namespace pruner
