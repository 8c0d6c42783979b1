#include "pruner/pacm/make_network.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/network_state.h"
#include "pruner/pacm/ranking_network.h"
#include "torch/types.h"
#include "torch/utils.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;

constexpr NetworkShape kPapers = {
    .row_columns = 174, .blocks = 8, .block_columns = 23};

int64_t Parameters(const NetworkShape& shape) {
  const auto network = MakeNetwork(shape, Rng(1));
  ABSL_EXPECT_OK(network);
  int64_t count = 0;
  for (const torch::Tensor& parameter : (*network)->parameters()) {
    EXPECT_TRUE(parameter.requires_grad());
    count += parameter.numel();
  }
  return count;
}

TEST(MakeNetworkTest, HasThePapersNumberOfParameters) {
  EXPECT_EQ(Parameters(kPapers), 417409);
}

TEST(MakeNetworkTest, ABranchThatIsLeftOutHasNone) {
  const int64_t rows = 174 * 256 + 256 + 256 * 256 + 256;
  const int64_t head = 2 * (256 * 256 + 256) + 256 + 1;
  const int64_t norm = 2 * 256;
  const int64_t dataflow =
      23 * 64 + 64 + 64 * 128 + 128 + 3 * (128 * 128 + 128) + 128 * 128 + 128;
  EXPECT_EQ(Parameters({.row_columns = 174}), rows + norm + head);
  EXPECT_EQ(Parameters({.blocks = 8, .block_columns = 23}),
            dataflow + 128 * 256 + 256 + norm + head);
  EXPECT_EQ(Parameters({.kind = NetworkKind::kTensetMlp, .row_columns = 174}),
            rows + head);
}

TEST(MakeNetworkTest, LayersAreAsWideAsTheShape) {
  const int64_t rows = 174 * 16 + 16 + 16 * 16 + 16;
  const int64_t head = 2 * (16 * 16 + 16) + 16 + 1;
  EXPECT_EQ(
      Parameters(
          {.kind = NetworkKind::kTensetMlp, .row_columns = 174, .width = 16}),
      rows + head);
  const int64_t dataflow =
      23 * 64 + 64 + 64 * 128 + 128 + 3 * (128 * 128 + 128) + 128 * 128 + 128;
  EXPECT_EQ(
      Parameters(
          {.row_columns = 174, .blocks = 8, .block_columns = 23, .width = 16}),
      rows + dataflow + (16 + 128) * 16 + 16 + 2 * 16 + head);
}

TEST(MakeNetworkTest, WeightsDependOnTheRngAlone) {
  const auto first = MakeNetwork(kPapers, Rng(1));
  torch::manual_seed(7);
  const auto second = MakeNetwork(kPapers, Rng(1));
  const auto other = MakeNetwork(kPapers, Rng(2));
  EXPECT_EQ(StateOf(**first), StateOf(**second));
  EXPECT_NE(StateOf(**first), StateOf(**other));
}

TEST(MakeNetworkTest, WeightsAreAsPyTorchDrawsThem) {
  const auto network = MakeNetwork(kPapers, Rng(1));
  const auto parameters = (*network)->named_parameters();
  const auto uniform = [&](const std::string& name, double bound) {
    const torch::Tensor& tensor = parameters[name];
    const double most = tensor.abs().max().item<double>();
    EXPECT_LE(most, bound) << name;
    EXPECT_GT(most, 0.9 * bound) << name;
    EXPECT_NEAR(tensor.mean().item<double>(), 0, 0.15 * bound) << name;
  };
  uniform("rows.first.weight", 1 / std::sqrt(174));
  uniform("rows.first.bias", 1 / std::sqrt(174));
  uniform("fuse.weight", 1 / std::sqrt(384));
  uniform("head.score.weight", 1 / std::sqrt(256));
  uniform("dataflow.attention.in_proj_weight", std::sqrt(6.0 / (4 * 128)));
  uniform("dataflow.attention.out_proj.weight", 1 / std::sqrt(128));
  for (const char* name : {"dataflow.attention.in_proj_bias",
                           "dataflow.attention.out_proj.bias", "norm.bias"}) {
    EXPECT_EQ(parameters[name].abs().max().item<double>(), 0) << name;
  }
  EXPECT_EQ(parameters["norm.weight"].min().item<double>(), 1);
}

TEST(MakeNetworkTest, WhatIsNoNetworkIsRefused) {
  EXPECT_THAT(MakeNetwork({}, Rng(1)),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace pruner
