#include "pruner/vta/workloads.h"

#include "gtest/gtest.h"
#include "pruner/vta/vta_spec.h"

namespace pruner {
namespace {

TEST(WorkloadsTest, ThirteenInOrderFiveHeldOut) {
  ASSERT_EQ(VtaWorkloads().size(), 13u);
  int held_out = 0;
  int last = -1;
  for (const VtaWorkload& workload : VtaWorkloads()) {
    EXPECT_GT(workload.id, last);
    last = workload.id;
    held_out += workload.held_out ? 1 : 0;
  }
  EXPECT_EQ(held_out, 5);
}

TEST(WorkloadsTest, OutputExtents) {
  EXPECT_EQ(FindVtaWorkload(3)->OutHeight(), 35);
  EXPECT_EQ(FindVtaWorkload(3)->OutWidth(), 169);
  EXPECT_EQ(FindVtaWorkload(5)->OutHeight(), 38);
  EXPECT_EQ(FindVtaWorkload(5)->OutWidth(), 166);
  EXPECT_EQ(FindVtaWorkload(42)->OutHeight(), 56);
  EXPECT_EQ(FindVtaWorkload(59)->OutHeight(), 7);
  EXPECT_EQ(FindVtaWorkload(106)->OutWidth(), 7);
}

TEST(WorkloadsTest, UnknownId) { EXPECT_EQ(FindVtaWorkload(4), nullptr); }

// Of the published configuration.
TEST(VtaSpecTest, Capacities) {
  const VtaSpec spec;
  EXPECT_EQ(spec.InputVectors(), 2048);
  EXPECT_EQ(spec.WeightBlocks(), 1024);
  EXPECT_EQ(spec.AccumulatorVectors(), 2048);
  EXPECT_EQ(spec.MicroOps(), 8192);
}

}  // namespace
}  // namespace pruner
