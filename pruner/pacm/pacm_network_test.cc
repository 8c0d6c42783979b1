#include "pruner/pacm/pacm_network.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/pacm/make_network.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/program_tensors.h"
#include "pruner/pacm/ranking_network.h"
#include "torch/types.h"
#include "torch/utils.h"

namespace pruner {
namespace {

constexpr NetworkShape kBoth = {
    .row_columns = 5, .blocks = 3, .block_columns = 4};
constexpr NetworkShape kRows = {.row_columns = 5};
constexpr NetworkShape kBlocks = {.blocks = 3, .block_columns = 4};

// Three programs with 2, 1 and 3 rows.
ProgramBatch Batch() {
  return {.size = 3,
          .rows = torch::arange(30, torch::kFloat32).view({6, 5}) / 30,
          .program_of_row = torch::tensor({0, 0, 1, 2, 2, 2}, torch::kInt64),
          .blocks = torch::arange(36, torch::kFloat32).view({3, 3, 4}) / 36};
}

std::shared_ptr<RankingNetwork> Make(const NetworkShape& shape) {
  auto network = MakeNetwork(shape, Rng(1));
  ABSL_EXPECT_OK(network);
  (*network)->eval();
  return *network;
}

TEST(PacmNetworkTest, ScoresEachProgramByItself) {
  const torch::NoGradGuard no_gradients;
  for (const NetworkShape& shape : {kBoth, kRows, kBlocks}) {
    const auto network = Make(shape);
    const torch::Tensor scores = network->forward(Batch());
    ASSERT_EQ(scores.dim(), 1);
    ASSERT_EQ(scores.size(0), 3);
    EXPECT_NE(scores[0].item<float>(), scores[1].item<float>());
    // The second program alone; a batch of one keeps its dimension.
    const ProgramBatch one = {
        .size = 1,
        .rows = Batch().rows.slice(0, 2, 3),
        .program_of_row = torch::zeros({1}, torch::kInt64),
        .blocks = Batch().blocks.slice(0, 1, 2)};
    const torch::Tensor alone = network->forward(one);
    ASSERT_EQ(alone.dim(), 1);
    ASSERT_EQ(alone.size(0), 1);
    EXPECT_NEAR(alone[0].item<float>(), scores[1].item<float>(), 1e-5);
  }
}

// Whether another value of a branch's input changes scores.
bool Reads(const NetworkShape& shape, bool rows) {
  const torch::NoGradGuard no_gradients;
  const auto network = Make(shape);
  ProgramBatch changed = Batch();
  torch::Tensor& part = rows ? changed.rows : changed.blocks;
  part = part + 1;
  return !torch::equal(network->forward(Batch()), network->forward(changed));
}

TEST(PacmNetworkTest, ABranchThatIsLeftOutIsNotRead) {
  EXPECT_TRUE(Reads(kBoth, /*rows=*/true));
  EXPECT_TRUE(Reads(kBoth, /*rows=*/false));
  EXPECT_TRUE(Reads(kRows, /*rows=*/true));
  EXPECT_FALSE(Reads(kRows, /*rows=*/false));
  EXPECT_FALSE(Reads(kBlocks, /*rows=*/true));
  EXPECT_TRUE(Reads(kBlocks, /*rows=*/false));
}

// The order of rows and of blocks means nothing: both are summed over.
TEST(PacmNetworkTest, OrderMeansNothing) {
  const torch::NoGradGuard no_gradients;
  const auto network = Make(kBoth);
  ProgramBatch flipped = Batch();
  flipped.rows = flipped.rows.flip(0);
  flipped.program_of_row = flipped.program_of_row.flip(0);
  flipped.blocks = flipped.blocks.flip(1);
  EXPECT_TRUE(torch::allclose(network->forward(flipped),
                              network->forward(Batch()), 1e-4, 1e-5));
}

// All of it once more, written out with the network's weights.
TEST(PacmNetworkTest, IsWhatThePapersDraw) {
  const torch::NoGradGuard no_gradients;
  const auto network = Make(kBoth);
  const auto weights = network->named_parameters();
  const auto linear = [&](const std::string& name, const torch::Tensor& x) {
    return x.matmul(weights[name + ".weight"].t()) + weights[name + ".bias"];
  };
  const ProgramBatch batch = Batch();
  const torch::Tensor rows = torch::relu(
      linear("rows.second", torch::relu(linear("rows.first", batch.rows))));
  const torch::Tensor blocks = torch::relu(linear(
      "dataflow.second", torch::relu(linear("dataflow.first", batch.blocks))));
  torch::Tensor sums = torch::zeros({3, 384});
  for (int64_t row = 0; row < 6; ++row) {
    const auto program = batch.program_of_row[row].item<int64_t>();
    sums[program].slice(0, 0, 256).add_(rows[row]);
  }
  const torch::Tensor projected =
      blocks.matmul(weights["dataflow.attention.in_proj_weight"].t()) +
      weights["dataflow.attention.in_proj_bias"];
  for (int64_t program = 0; program < 3; ++program) {
    torch::Tensor attended = torch::zeros({3, 128});
    for (int64_t head = 0; head < 4; ++head) {
      const auto part = [&](int64_t which) {
        return projected[program].slice(1, which * 128 + head * 32,
                                        which * 128 + (head + 1) * 32);
      };
      attended.slice(1, head * 32, (head + 1) * 32)
          .add_(torch::softmax(part(0).matmul(part(1).t()) / std::sqrt(32.0), 1)
                    .matmul(part(2)));
    }
    sums[program]
        .slice(0, 256, 384)
        .add_(
            (linear("dataflow.attention.out_proj", attended) + blocks[program])
                .sum(0));
  }
  // Batch norm, of which nothing was learned yet.
  torch::Tensor hidden =
      torch::relu(linear("fuse", sums)) / std::sqrt(1 + 1e-5);
  hidden = hidden + torch::relu(linear("head.first", hidden));
  hidden = hidden + torch::relu(linear("head.second", hidden));
  EXPECT_TRUE(torch::allclose(network->forward(batch),
                              linear("head.score", hidden).view({3}), 1e-4,
                              1e-5));
}

TEST(PacmNetworkTest, BatchNormLearnsStatisticsOfBatchesWhileTraining) {
  const auto network = Make(kBoth);
  const torch::Tensor before = network->forward(Batch());
  network->train();
  network->forward(Batch());
  network->eval();
  EXPECT_FALSE(torch::equal(network->forward(Batch()), before));
}

TEST(PacmNetworkTest, EveryParameterHasAGradient) {
  for (const NetworkShape& shape : {kBoth, kRows, kBlocks}) {
    const auto network = Make(shape);
    network->train();
    network->forward(Batch()).square().sum().backward();
    for (const auto& parameter : network->named_parameters()) {
      ASSERT_TRUE(parameter.value().grad().defined()) << parameter.key();
      EXPECT_GT(parameter.value().grad().abs().max().item<float>(), 0)
          << parameter.key();
    }
  }
}

}  // namespace
}  // namespace pruner
