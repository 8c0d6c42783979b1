#include "models/partition/memory_plan.h"

#include <vector>

#include "gtest/gtest.h"
#include "pruner/base/rng.h"

namespace pruner {
namespace {

TEST(MemoryPlanTest, ReusesWhatIsFree) {
  // 0 and 2 never live together; 1 lives with both.
  const std::vector<BufferLifetime> buffers = {
      {100, 0, 1}, {50, 1, 2}, {80, 2, 3}};
  const MemoryPlan plan = PlanMemory(buffers, 1);
  EXPECT_EQ(plan.offsets, (std::vector<int64_t>{0, 100, 0}));
  EXPECT_EQ(plan.bytes, 150);
  EXPECT_EQ(PeakLiveBytes(buffers), 150);
}

TEST(MemoryPlanTest, FillsAGap) {
  // The two large ones leave 20 bytes between them in steps 2 and 3.
  const std::vector<BufferLifetime> buffers = {
      {100, 0, 1}, {90, 1, 3}, {80, 2, 3}, {20, 3, 3}};
  const MemoryPlan plan = PlanMemory(buffers, 1);
  EXPECT_EQ(plan.offsets, (std::vector<int64_t>{0, 100, 0, 80}));
  EXPECT_EQ(plan.bytes, 190);
}

TEST(MemoryPlanTest, AlignsOffsets) {
  const MemoryPlan plan = PlanMemory({{65, 0, 0}, {10, 0, 0}}, 64);
  EXPECT_EQ(plan.offsets, (std::vector<int64_t>{0, 128}));
  EXPECT_EQ(plan.bytes, 138);
}

TEST(MemoryPlanTest, NothingNeedsNothing) {
  EXPECT_EQ(PlanMemory({}, 64).bytes, 0);
  EXPECT_EQ(PeakLiveBytes({}), 0);
}

TEST(MemoryPlanTest, LiveBuffersNeverOverlap) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const int64_t alignment = int64_t{1} << rng.Uniform(0, 6);
    std::vector<BufferLifetime> buffers(rng.Uniform(1, 40));
    for (BufferLifetime& buffer : buffers) {
      buffer.bytes = rng.Uniform(1, 500);
      buffer.first = static_cast<int>(rng.Uniform(0, 20));
      buffer.last = buffer.first + static_cast<int>(rng.Uniform(0, 5));
    }
    const MemoryPlan plan = PlanMemory(buffers, alignment);
    EXPECT_GE(plan.bytes, PeakLiveBytes(buffers));
    for (size_t i = 0; i < buffers.size(); ++i) {
      EXPECT_EQ(plan.offsets[i] % alignment, 0);
      EXPECT_GE(plan.offsets[i], 0);
      EXPECT_LE(plan.offsets[i] + buffers[i].bytes, plan.bytes);
      for (size_t j = 0; j < i; ++j) {
        const bool in_time = buffers[i].first <= buffers[j].last &&
                             buffers[j].first <= buffers[i].last;
        const bool in_space =
            plan.offsets[i] < plan.offsets[j] + buffers[j].bytes &&
            plan.offsets[j] < plan.offsets[i] + buffers[i].bytes;
        EXPECT_FALSE(in_time && in_space) << i << " and " << j;
      }
    }
  }
}

}  // namespace
}  // namespace pruner
