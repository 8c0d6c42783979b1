#include "halide_ext/build/shared_scratch.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "halide_ext/build/allocate_in_threads.h"

namespace pruner {
namespace {

constexpr size_t kMegabyte = size_t{1} << 20;

TEST(SharedScratchTest, BlocksBeginAsLowAsThereIsRoom) {
  SharedScratch scratch(8 * kMegabyte);
  auto* const a = static_cast<char*>(scratch.Allocate(kMegabyte));
  auto* const b = static_cast<char*>(scratch.Allocate(100));
  auto* const c = static_cast<char*>(scratch.Allocate(2 * kMegabyte));
  EXPECT_EQ(b, a + kMegabyte);
  EXPECT_EQ(c, b + 128);
  scratch.Free(a);
  // Of another size, where the first was.
  EXPECT_EQ(scratch.Allocate(kMegabyte / 2), a);
  EXPECT_EQ(scratch.Allocate(kMegabyte), c + 2 * kMegabyte);
  EXPECT_EQ(scratch.Allocate(kMegabyte / 2), a + kMegabyte / 2);
}

TEST(SharedScratchTest, WhatIsFreeIsOnePieceAgain) {
  // In any order.
  std::vector<int> order = {0, 1, 2};
  do {
    SharedScratch scratch(3 * kMegabyte);
    std::vector<void*> blocks;
    for (int i = 0; i < 3; ++i) blocks.push_back(scratch.Allocate(kMegabyte));
    EXPECT_EQ(scratch.Allocate(1), nullptr);
    for (const int i : order) scratch.Free(blocks[i]);
    EXPECT_EQ(scratch.Allocate(3 * kMegabyte), blocks[0]);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(SharedScratchTest, NothingWhereThereIsNoRoom) {
  SharedScratch none(0), scratch(kMegabyte);
  int other = 0;
  EXPECT_EQ(none.Allocate(1), nullptr);
  EXPECT_FALSE(none.Owns(&other));
  EXPECT_EQ(scratch.Allocate(std::numeric_limits<size_t>::max()), nullptr);
  EXPECT_EQ(scratch.Allocate(kMegabyte + 1), nullptr);
  void* const all = scratch.Allocate(kMegabyte);
  EXPECT_TRUE(scratch.Owns(all));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(all) % 128, 0u);
  EXPECT_FALSE(scratch.Owns(&other));
}

TEST(SharedScratchTest, ManyThreads) {
  SharedScratch scratch(64 * kMegabyte);
  AllocateInThreads(scratch);
  EXPECT_NE(scratch.Allocate(64 * kMegabyte), nullptr);
}

}  // namespace
}  // namespace pruner
