#include "pruner/base/os/memory.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace pruner {
namespace {

constexpr int64_t kBytes = int64_t{64} << 20;

TEST(MemoryTest, PeakGrowsWithWhatIsUsedAndIsForgotten) {
  const int64_t before = PeakMemoryBytes();
  ASSERT_GT(before, 0);
  {
    const std::vector<char> used(kBytes, 'x');
  }
  const int64_t peak = PeakMemoryBytes();
  EXPECT_GE(peak, before + kBytes / 2);
  ResetPeakMemory();
  EXPECT_LE(PeakMemoryBytes(), peak);
}

TEST(MemoryTest, WhatIsAvailableIsMoreThanATestNeeds) {
  EXPECT_GT(AvailableMemoryBytes(), kBytes);
}

}  // namespace
}  // namespace pruner
