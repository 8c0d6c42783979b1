#include "pruner/pacm/tenset_mlp.h"

#include <string>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/pacm/make_network.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/program_tensors.h"
#include "torch/types.h"
#include "torch/utils.h"

namespace pruner {
namespace {

// Written out with the network's weights: two programs with 1 and 2 rows.
TEST(TensetMlpTest, IsWhatTheAuthorsHave) {
  const torch::NoGradGuard no_gradients;
  const auto network =
      MakeNetwork({.kind = NetworkKind::kTensetMlp, .row_columns = 5}, Rng(1));
  ABSL_ASSERT_OK(network);
  const auto weights = (*network)->named_parameters();
  const auto linear = [&](const std::string& name, const torch::Tensor& x) {
    return x.matmul(weights[name + ".weight"].t()) + weights[name + ".bias"];
  };
  const torch::Tensor input =
      torch::arange(15, torch::kFloat32).view({3, 5}) / 15;
  const torch::Tensor rows = torch::relu(
      linear("rows.second", torch::relu(linear("rows.first", input))));
  torch::Tensor hidden = torch::stack({rows[0], rows[1] + rows[2]});
  hidden = hidden + torch::relu(linear("head.first", hidden));
  hidden = hidden + torch::relu(linear("head.second", hidden));
  const torch::Tensor scores = (*network)->forward(
      {.size = 2,
       .rows = input,
       .program_of_row = torch::tensor({0, 1, 1}, torch::kInt64)});
  EXPECT_TRUE(torch::allclose(scores, linear("head.score", hidden).view({2}),
                              1e-4, 1e-5));
  EXPECT_NE(scores[0].item<float>(), scores[1].item<float>());
}

TEST(TensetMlpTest, ABatchOfOneKeepsItsDimension) {
  TensetMlp network({.kind = NetworkKind::kTensetMlp, .row_columns = 5});
  const torch::Tensor scores =
      network.forward({.size = 1,
                       .rows = torch::ones({2, 5}),
                       .program_of_row = torch::zeros({2}, torch::kInt64)});
  EXPECT_EQ(scores.dim(), 1);
  EXPECT_EQ(scores.size(0), 1);
}

}  // namespace
}  // namespace pruner
