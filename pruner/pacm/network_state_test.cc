#include "pruner/pacm/network_state.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"
#include "pruner/pacm/make_network.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/ranking_network.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

std::shared_ptr<RankingNetwork> Make(uint64_t seed) {
  return *MakeNetwork({.row_columns = 3, .blocks = 2, .block_columns = 4},
                      Rng(seed));
}

TEST(NetworkStateTest, IsAllThatANetworkHas) {
  const auto first = Make(1), second = Make(2);
  const std::vector<NamedTensor> state = StateOf(*first);
  ASSERT_NE(StateOf(*second), state);
  ABSL_ASSERT_OK(SetState(state, *second));
  EXPECT_EQ(StateOf(*second), state);
  // Statistics too.
  EXPECT_THAT(state, Contains(Field(&NamedTensor::name, "norm.running_mean")));
  EXPECT_THAT(state, Contains(Field(&NamedTensor::name, "norm.running_var")));
  EXPECT_EQ(state[0].values.size(), 256u);
}

TEST(NetworkStateTest, TensorsKeepTheirShape) {
  for (const NamedTensor& tensor : StateOf(*Make(1))) {
    if (tensor.name != "rows.first.weight") continue;
    EXPECT_THAT(tensor.shape, ElementsAre(256, 3));
    EXPECT_EQ(tensor.values.size(), 256u * 3);
    return;
  }
  FAIL() << "no rows.first.weight";
}

TEST(NetworkStateTest, WhatDoesNotFitIsRefusedWhole) {
  const auto network = Make(1);
  const std::vector<NamedTensor> before = StateOf(*network);
  const std::vector<NamedTensor> other = StateOf(*Make(2));

  std::vector<NamedTensor> fewer = other;
  fewer.pop_back();
  EXPECT_THAT(SetState(fewer, *network),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("tensors, should be")));
  std::vector<NamedTensor> renamed = other;
  renamed.back().name = "else";
  EXPECT_THAT(SetState(renamed, *network),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("there is else where norm.running_var")));
  std::vector<NamedTensor> reshaped = other;
  reshaped.back().shape = {2, 128};
  EXPECT_THAT(SetState(reshaped, *network),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("256 values as 2x128, should have 256")));
  std::vector<NamedTensor> shorter = other;
  shorter.back().values.pop_back();
  EXPECT_THAT(SetState(shorter, *network),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("255 values as 256")));
  std::vector<NamedTensor> infinite = other;
  infinite.back().values[3] = std::numeric_limits<float>::infinity();
  EXPECT_THAT(SetState(infinite, *network),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("norm.running_var has a value that is not")));
  EXPECT_EQ(StateOf(*network), before);
}

}  // namespace
}  // namespace pruner
