#include "models/rewrite/fold_batch_norm.h"

#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/rewrite/testing.h"

namespace pruner {
namespace {

// Layers of six channels with random constants.
struct Layers {
  GraphBuilder builder{"net"};
  uint64_t seed = 0;

  TensorId Constant(const std::string& name, const Shape& shape,
                    double low = 0.2) {
    return builder.Constant(
        name, shape, {RandomValues{.seed = ++seed, .low = low, .high = 1}});
  }
  TensorId Conv(const std::string& name, TensorId x, int64_t groups = 1) {
    const TensorId w = Constant(name + ".w", {3, 3, 6 / groups, 6}, -1);
    return builder.Conv2d(name, x, w,
                          {.padding = {1, 1, 1, 1}, .groups = groups});
  }
  TensorId Bias(const std::string& name, TensorId x) {
    return builder.BiasAdd(name, x, Constant(name + ".b", {6}, -1));
  }
  TensorId Norm(const std::string& name, TensorId x) {
    const TensorId scale = Constant(name + ".scale", {6}, -1);
    const TensorId shift = Constant(name + ".shift", {6}, -1);
    const TensorId mean = Constant(name + ".mean", {6}, -1);
    const TensorId variance = Constant(name + ".variance", {6});
    return builder.BatchNorm(name, x, scale, shift, mean, variance);
  }
  OperatorGraph Build(std::initializer_list<TensorId> outputs) {
    for (const TensorId output : outputs) builder.Output(output);
    absl::StatusOr<OperatorGraph> graph = std::move(builder).Build();
    EXPECT_TRUE(graph.ok()) << graph.status();
    return *std::move(graph);
  }
};

// Folds and checks that the result is equivalent.
OperatorGraph Folded(const OperatorGraph& graph) {
  absl::StatusOr<OperatorGraph> folded = FoldBatchNorm(graph);
  EXPECT_TRUE(folded.ok()) << folded.status();
  ExpectEquivalent(graph, *folded);
  return *std::move(folded);
}

TEST(FoldBatchNormTest, IntoAConvolution) {
  for (const int64_t groups : {1, 3, 6}) {
    Layers l;
    const TensorId x = l.builder.Input("x", {1, 5, 5, 6});
    const OperatorGraph folded = Folded(l.Build(
        {l.builder.Relu("y", l.Norm("norm", l.Conv("conv", x, groups)))}));
    ASSERT_EQ(folded.nodes.size(), 3u);
    EXPECT_EQ(CountNodes<BatchNorm>(folded), 0);
    EXPECT_EQ(folded.NameOf(folded.nodes[0]), "conv");
    EXPECT_EQ(folded.NameOf(folded.nodes[1]), "norm");
    EXPECT_EQ(KindOf(folded.nodes[1].op).name, "BiasAdd");
    EXPECT_EQ(folded.constants.size(), 2u);
  }
}

TEST(FoldBatchNormTest, ThroughABias) {
  Layers l;
  const TensorId x = l.builder.Input("x", {1, 5, 5, 6});
  const OperatorGraph folded =
      Folded(l.Build({l.Norm("norm", l.Bias("bias", l.Conv("conv", x)))}));
  EXPECT_EQ(folded.nodes.size(), 2u);
  EXPECT_EQ(CountNodes<BatchNorm>(folded), 0);
}

TEST(FoldBatchNormTest, IntoADense) {
  Layers l;
  const TensorId x = l.builder.Input("x", {3, 4});
  const TensorId product = l.builder.Dense("fc", x, l.Constant("w", {4, 6}));
  const OperatorGraph folded = Folded(l.Build({l.Norm("norm", product)}));
  EXPECT_EQ(CountNodes<BatchNorm>(folded), 0);
}

TEST(FoldBatchNormTest, IntoOtherConvolutions) {
  Layers l;
  const TensorId video = l.builder.Input("video", {1, 4, 5, 5, 2});
  const TensorId volume =
      l.builder.Apply("volume", Conv3d{.padding = {1, 1, 1, 1, 1, 1}},
                      {video, l.Constant("w3", {3, 3, 3, 2, 6}, -1)});
  const TensorId image = l.builder.Input("image", {1, 5, 5, 4});
  const TensorId larger =
      l.builder.Apply("larger", ConvTranspose2d{.stride = {2, 2}, .groups = 2},
                      {image, l.Constant("w2", {3, 3, 2, 6}, -1)});
  const OperatorGraph folded =
      Folded(l.Build({l.Norm("norm3", volume), l.Norm("norm2", larger)}));
  EXPECT_EQ(CountNodes<BatchNorm>(folded), 0);
  EXPECT_EQ(folded.nodes.size(), 4u);
}

TEST(FoldBatchNormTest, TwiceTakesTwoRounds) {
  Layers l;
  const TensorId x = l.builder.Input("x", {1, 5, 5, 6});
  const OperatorGraph once =
      Folded(l.Build({l.Norm("norm2", l.Norm("norm1", l.Conv("conv", x)))}));
  EXPECT_EQ(CountNodes<BatchNorm>(once), 1);
  const OperatorGraph twice = Folded(once);
  EXPECT_EQ(CountNodes<BatchNorm>(twice), 0);
  EXPECT_EQ(twice.nodes.size(), 2u);
}

TEST(FoldBatchNormTest, LeavesSharedWeightsToOthers) {
  Layers l;
  const TensorId x = l.builder.Input("x", {1, 5, 5, 6});
  const TensorId w = l.Constant("w", {3, 3, 6, 6}, -1);
  const TensorId normed = l.Norm("norm", l.builder.Conv2d("conv1", x, w));
  const TensorId plain = l.builder.Conv2d("conv2", x, w);
  const OperatorGraph folded = Folded(l.Build({normed, plain}));
  EXPECT_EQ(CountNodes<BatchNorm>(folded), 0);
  EXPECT_EQ(folded.constants.size(), 3u);
}

TEST(FoldBatchNormTest, NotWhereTheProductHasOtherReaders) {
  Layers l;
  const TensorId x = l.builder.Input("x", {1, 5, 5, 6});
  const TensorId conv = l.Conv("conv", x);
  const TensorId sum = l.builder.Add("sum", conv, l.Norm("norm", conv));
  const OperatorGraph graph = l.Build({sum});
  EXPECT_EQ(CountNodes<BatchNorm>(Folded(graph)), 1);
}

TEST(FoldBatchNormTest, NotWhereTheProductIsAnOutput) {
  Layers l;
  const TensorId x = l.builder.Input("x", {1, 5, 5, 6});
  const TensorId conv = l.Conv("conv", x);
  const OperatorGraph graph = l.Build({l.Norm("norm", conv), conv});
  EXPECT_EQ(CountNodes<BatchNorm>(Folded(graph)), 1);
}

TEST(FoldBatchNormTest, NotWithoutConstantsOrProduct) {
  Layers l;
  const TensorId x = l.builder.Input("x", {1, 5, 5, 6});
  const TensorId mean = l.builder.Input("mean", {6});
  const TensorId w = l.builder.Input("w", {1, 1, 6, 6});
  const TensorId conv = l.Conv("conv", x);
  const TensorId scale = l.Constant("scale", {6});
  const TensorId variance = l.Constant("variance", {6});
  const TensorId variable_mean =
      l.builder.BatchNorm("norm1", conv, scale, scale, mean, variance);
  const TensorId variable_weights =
      l.Norm("norm2", l.builder.Conv2d("conv2", variable_mean, w));
  const TensorId of_relu =
      l.Norm("norm3", l.builder.Relu("relu", variable_weights));
  const OperatorGraph graph = l.Build({of_relu});
  EXPECT_EQ(CountNodes<BatchNorm>(Folded(graph)), 3);
}

TEST(FoldBatchNormTest, SaysWhichConstantIsUnusable) {
  Layers l;
  const TensorId x = l.builder.Input("x", {1, 5, 5, 6});
  const TensorId conv = l.Conv("conv", x);
  const TensorId zero =
      l.builder.Constant("zero", {6}, {MakeExplicit(std::vector<float>(6))});
  const TensorId one =
      l.builder.Constant("one", {6}, {MakeExplicit(std::vector<float>(6, 1))});
  const OperatorGraph graph = l.Build({l.builder.BatchNorm(
      "norm", conv, one, zero, zero, zero, {.epsilon = 0})});
  EXPECT_EQ(FoldBatchNorm(graph).status().message(),
            "graph \"net\", constant \"conv.folded_weights\": "
            "channel_factor[0] = inf is "
            "not finite");
}

}  // namespace
}  // namespace pruner
