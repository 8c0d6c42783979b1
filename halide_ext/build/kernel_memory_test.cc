#include "halide_ext/build/kernel_memory.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "halide_ext/build/allocate_in_threads.h"

namespace pruner {
namespace {

constexpr size_t kMegabyte = size_t{1} << 20;

TEST(KernelMemoryTest, WhatWasFreedIsHandedOutAgain) {
  KernelMemory memory(8 * kMegabyte);
  void* const first = memory.Allocate(kMegabyte);
  std::memset(first, 1, kMegabyte);
  memory.Free(first);
  EXPECT_GE(memory.kept(), kMegabyte);
  // About as large.
  void* const again = memory.Allocate(kMegabyte - 100);
  EXPECT_EQ(again, first);
  EXPECT_EQ(memory.kept(), 0u);
  void* const other = memory.Allocate(kMegabyte);
  EXPECT_NE(other, first);
  memory.Free(again);
  memory.Free(other);
  void* const large = memory.Allocate(2 * kMegabyte);
  EXPECT_NE(large, first);
  EXPECT_NE(large, other);
  memory.Free(large);
}

TEST(KernelMemoryTest, LargeBlocksAreCutFromOnePiece) {
  KernelMemory memory(8 * kMegabyte, 2 * kMegabyte);
  void* const first = memory.Allocate(kMegabyte);
  memory.Free(first);
  // Whatever their size, while there is room.
  void* const again = memory.Allocate(kMegabyte / 2);
  EXPECT_EQ(again, first);
  void* const more = memory.Allocate(2 * kMegabyte);
  ASSERT_NE(more, nullptr);
  std::memset(more, 1, 2 * kMegabyte);
  memory.Free(more);
  memory.Free(again);
  EXPECT_EQ(memory.kept(), 2 * kMegabyte);
  memory.set_shares(false);
  void* const own = memory.Allocate(kMegabyte / 2);
  EXPECT_NE(own, first);
  memory.Free(own);
  EXPECT_EQ(memory.kept(), 5 * kMegabyte / 2);
}

TEST(KernelMemoryTest, IsAlignedForAnyVector) {
  KernelMemory memory(kMegabyte);
  for (const size_t bytes : {0, 1, 100, 65535, 65536, 65537, 1000000}) {
    void* const block = memory.Allocate(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 128, 0u) << bytes;
    std::memset(block, 1, bytes);
    memory.Free(block);
  }
  memory.Free(nullptr);
}

TEST(KernelMemoryTest, KeepsWhatWasFreedLast) {
  KernelMemory memory(3 * kMegabyte);
  std::vector<void*> blocks;
  for (int i = 0; i < 4; ++i) blocks.push_back(memory.Allocate(kMegabyte));
  for (void* block : blocks) memory.Free(block);
  EXPECT_EQ(memory.kept(), 3 * kMegabyte);
  for (int i = 3; i > 0; --i)
    EXPECT_EQ(memory.Allocate(kMegabyte), blocks[i]) << i;
  for (int i = 1; i < 4; ++i) memory.Free(blocks[i]);
  // Too large to be kept.
  memory.Free(memory.Allocate(4 * kMegabyte));
  EXPECT_EQ(memory.kept(), 3 * kMegabyte);
}

// The C library gave blocks of this size back, and pages to be cleared came for
// them (a pool's rows of padding took 55 microseconds instead of 20).
TEST(KernelMemoryTest, KeepsBlocksOfSomeKilobytesToo) {
  KernelMemory memory(kMegabyte);
  for (const size_t bytes : {4096, 43008, 50000}) {
    void* const block = memory.Allocate(bytes);
    memory.Free(block);
    EXPECT_GE(memory.kept(), bytes);
    EXPECT_EQ(memory.Allocate(bytes), block);
    memory.Free(block);
  }
}

TEST(KernelMemoryTest, ThreadsGetTheirOwnForPreference) {
  KernelMemory memory(8 * kMegabyte);
  void* const mine = memory.Allocate(kMegabyte);
  void* const other = memory.Allocate(kMegabyte);
  memory.Free(mine);
  std::thread([&] { memory.Free(other); }).join();
  // Though the other was freed later.
  EXPECT_EQ(memory.Allocate(kMegabyte), mine);
  EXPECT_EQ(memory.Allocate(kMegabyte), other);
  memory.Free(mine);
  memory.Free(other);
}

TEST(KernelMemoryTest, NothingWhereThereIsNotAsMuch) {
  KernelMemory memory(kMegabyte);
  memory.Free(memory.Allocate(kMegabyte));
  EXPECT_EQ(memory.Allocate(std::numeric_limits<size_t>::max() / 2), nullptr);
  // Before it gave up it gave all back.
  EXPECT_EQ(memory.kept(), 0u);
}

TEST(KernelMemoryTest, ManyThreads) {
  KernelMemory memory(4 * kMegabyte);
  AllocateInThreads(memory);
  EXPECT_LE(memory.kept(), 4 * kMegabyte);
}

}  // namespace
}  // namespace pruner
