#include "pruner/measure/measure_policy.h"

#include "gtest/gtest.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

constexpr MeasurePolicy kAll[] = {MeasurePolicy::kWarm, MeasurePolicy::kLlc,
                                  MeasurePolicy::kMemory};

TEST(MeasurePolicyTest, NamesParse) {
  for (const MeasurePolicy policy : kAll)
    EXPECT_EQ(*ParseMeasurePolicy(MeasurePolicyName(policy)), policy);
  EXPECT_EQ(ParseMeasurePolicy("cold").status().message(),
            "there is no measuring policy 'cold'; it is one of warm, llc, "
            "memory");
}

TEST(MeasurePolicyTest, ANetworkIsOfTheSmallestCacheThatHoldsIt) {
  TargetSpec target = SampleCpuTarget();
  target.l2.size_bytes = 1 << 20;
  target.units.cores = 2;
  target.llc.size_bytes = 32 << 20;
  EXPECT_EQ(PolicyOfNetwork(1 << 20, target), MeasurePolicy::kWarm);
  EXPECT_EQ(PolicyOfNetwork(14 << 20, target), MeasurePolicy::kLlc);
  EXPECT_EQ(PolicyOfNetwork(102 << 20, target), MeasurePolicy::kMemory);
  EXPECT_EQ(PolicyOfNetwork(102 << 20, SampleGpuTarget()),
            MeasurePolicy::kWarm);
}

TEST(MeasurePolicyTest, WhatIsReadInBetweenHasTheEffect) {
  TargetSpec target = SampleCpuTarget();
  target.l2.size_bytes = 1 << 20;
  target.units.cores = 2;
  target.llc.size_bytes = 32 << 20;
  EXPECT_EQ(BytesBetweenUses(MeasurePolicy::kWarm, target), 0);
  EXPECT_EQ(BytesBetweenUses(MeasurePolicy::kLlc, target), 16 << 20);
  EXPECT_EQ(BytesBetweenUses(MeasurePolicy::kMemory, target), 192 << 20);
}

TEST(MeasurePolicyTest, ThereHasToBeRoomForHalfTheCopies) {
  TargetSpec target = SampleCpuTarget();
  target.llc.size_bytes = 32 << 20;
  const int64_t enough = 96 << 20;
  EXPECT_TRUE(CheckMemoryForCopies(MeasurePolicy::kWarm, target, 0).ok());
  EXPECT_TRUE(
      CheckMemoryForCopies(MeasurePolicy::kMemory, target, enough).ok());
  const absl::Status status =
      CheckMemoryForCopies(MeasurePolicy::kMemory, target, enough - 1);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "timing constants as cold as a network leaves them takes copies of "
            "96 MB, and there are 95 MB of memory available: end other "
            "programs, or time them warm with --measure_policy=warm");
}

}  // namespace
}  // namespace pruner
