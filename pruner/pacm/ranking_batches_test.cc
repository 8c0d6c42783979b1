#include "pruner/pacm/ranking_batches.h"

#include <cstdint>
#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/rng.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<int64_t> AllOf(const std::vector<RankingBatch>& batches) {
  std::vector<int64_t> all;
  for (const RankingBatch& batch : batches)
    all.insert(all.end(), batch.programs.begin(), batch.programs.end());
  return all;
}

TEST(DealBatchesTest, EveryProgramComesOnce) {
  const std::vector<int> tasks = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
  for (const int list_size : {0, 2, 5}) {
    Rng rng(1);
    const auto batches = DealBatches(tasks, 5, list_size, rng);
    const std::vector<int64_t> all = AllOf(batches);
    // Of tasks of five, lists of two leave one program out.
    EXPECT_THAT(all, SizeIs(list_size == 2 ? 8 : 10));
    EXPECT_THAT(std::set<int64_t>(all.begin(), all.end()), SizeIs(all.size()));
    // Each epoch has an order of its own; the seed decides.
    EXPECT_NE(AllOf(DealBatches(tasks, 5, list_size, rng)), all);
    Rng again(1);
    EXPECT_EQ(AllOf(DealBatches(tasks, 5, list_size, again)), all);
  }
}

TEST(DealBatchesTest, ABatchIsAList) {
  Rng rng(1);
  const auto batches = DealBatches({0, 0, 0, 1, 1, 1, 2}, 4, 0, rng);
  ASSERT_THAT(batches, SizeIs(2));
  EXPECT_THAT(batches[0].list_ends, ElementsAre(4));
  EXPECT_THAT(batches[1].list_ends, ElementsAre(3));
}

TEST(DealBatchesTest, ListsAreOfOneTask) {
  std::vector<int> tasks(20, 0);
  tasks.resize(33, 1);
  Rng rng(1);
  const auto batches = DealBatches(tasks, 16, 8, rng);
  std::multiset<int64_t> sizes;
  for (const RankingBatch& batch : batches) {
    EXPECT_LE(batch.programs.size(), 16u);
    EXPECT_EQ(batch.list_ends.back(), batch.programs.size());
    int64_t begin = 0;
    for (const int64_t end : batch.list_ends) {
      sizes.insert(end - begin);
      for (int64_t i = begin; i < end; ++i)
        EXPECT_EQ(tasks[batch.programs[i]], tasks[batch.programs[begin]]);
      begin = end;
    }
  }
  EXPECT_THAT(sizes, ElementsAre(4, 5, 8, 8, 8));
}

TEST(DealBatchesTest, WhatHasNoOrderIsLeftOut) {
  Rng rng(1);
  EXPECT_THAT(DealBatches({}, 4, 0, rng), IsEmpty());
  EXPECT_THAT(DealBatches({0}, 4, 0, rng), IsEmpty());
  EXPECT_THAT(DealBatches({0, 1, 2}, 4, 2, rng), IsEmpty());
  EXPECT_THAT(AllOf(DealBatches({0, 0, 0, 0, 0}, 4, 0, rng)), SizeIs(4));
}

}  // namespace
}  // namespace pruner
