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
  EXPECT_EQ(BytesBetweenUses(MeasurePolicy::kMemory, target), 64 << 20);
}

}  // namespace
}  // namespace pruner
