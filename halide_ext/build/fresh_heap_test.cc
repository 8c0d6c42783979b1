#include "halide_ext/build/fresh_heap.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "halide_ext/build/allocate_in_threads.h"
#include "pruner/base/os/glibc_malloc.h"

namespace pruner {
namespace {

constexpr size_t kMegabyte = size_t{1} << 20;

// Bytes that the system had to give, in a run that allocates all of them, and
// frees them in the same order; runs before have taught it.
size_t TakenByRun(FreshHeap& heap, const std::vector<size_t>& sizes) {
  size_t before = 0;
  for (int run = 0; run < 5; ++run) {
    before = heap.taken();
    std::vector<void*> blocks;
    for (const size_t size : sizes) {
      blocks.push_back(heap.Allocate(size));
      std::memset(blocks.back(), run, size);
    }
    for (void* const block : blocks) heap.Free(block);
  }
  return heap.taken() - before;
}

TEST(FreshHeapTest, BlocksOfOneSizeAreKept) {
  FreshHeap heap;
  EXPECT_EQ(TakenByRun(heap, {20 * kMegabyte}), 0u);
}

TEST(FreshHeapTest, VeryLargeBlocksAreNot) {
  FreshHeap heap;
  const size_t size = glibc::kMostKept + kMegabyte;
  EXPECT_GE(TakenByRun(heap, {size}), size);
}

// All that is free at the end is given back once it is more than twice the
// largest.
TEST(FreshHeapTest, ManyBlocksAreNot) {
  FreshHeap two, three;
  EXPECT_EQ(TakenByRun(two, {8 * kMegabyte, 7 * kMegabyte}), 0u);
  EXPECT_GE(TakenByRun(three, {8 * kMegabyte, 7 * kMegabyte, 7 * kMegabyte}),
            20 * kMegabyte);
}

TEST(FreshHeapTest, BlocksAreAlignedAndApart) {
  FreshHeap heap;
  const auto a = reinterpret_cast<uintptr_t>(heap.Allocate(100));
  const auto b = reinterpret_cast<uintptr_t>(heap.Allocate(1));
  EXPECT_EQ(a % 128, 0u);
  EXPECT_EQ(b % 128, 0u);
  EXPECT_GE(b, a + 100);
  heap.Free(nullptr);
}

TEST(FreshHeapTest, NothingWhereThereIsNoMemory) {
  FreshHeap heap;
  EXPECT_EQ(heap.Allocate(std::numeric_limits<size_t>::max() / 2), nullptr);
}

// More than a heap has addresses for.
TEST(FreshHeapTest, WhatHasNoRoomInAHeapIsAMapping) {
  FreshHeap heap;
  // So that no block of less is a mapping for being large.
  heap.Free(heap.Allocate(31 * kMegabyte));
  std::vector<void*> blocks;
  for (int i = 0; i < 50; ++i) {
    blocks.push_back(heap.Allocate(30 * kMegabyte));
    ASSERT_NE(blocks.back(), nullptr);
    static_cast<char*>(blocks.back())[0] = 1;
  }
  for (void* const block : blocks) heap.Free(block);
}

TEST(FreshHeapTest, ManyThreads) {
  FreshHeap heap;
  AllocateInThreads(heap);
}

// Threads that end before what they allocated is freed, by another one.
TEST(FreshHeapTest, OthersMayFree) {
  FreshHeap heap;
  void* block = nullptr;
  std::thread([&] { block = heap.Allocate(kMegabyte / 16); }).join();
  std::memset(block, 1, kMegabyte / 16);
  heap.Free(block);
  EXPECT_NE(heap.Allocate(kMegabyte / 16), nullptr);
}

}  // namespace
}  // namespace pruner
