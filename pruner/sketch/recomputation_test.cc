#include "pruner/sketch/recomputation.h"

#include <cstdint>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/schedule/replay.h"

namespace pruner {
namespace {

LoopState WithInlined(const ComputeDag& dag) {
  LoopState state = NaiveState(dag);
  for (int i = 1; i + 1 < dag.size(); ++i)
    state.stages[i].location = ComputeLocation::kInlined;
  return state;
}

TEST(InlinedReadsTest, ReadsMultiplyThroughWhatIsInlined) {
  const ComputeDag dag = DiamondsDag(2, 64, /*taps=*/3);
  const LoopState state = WithInlined(dag);
  InlinedReads reads(state);
  EXPECT_EQ(reads.PerElement(4), 0);  // nobody reads the output
  EXPECT_EQ(reads.PerElement(3), 1);
  EXPECT_EQ(reads.PerElement(2), 3);  // by the stencil in it
  EXPECT_EQ(reads.PerElement(1), 3);
  EXPECT_EQ(reads.PerElement(0), 9);
  // The output reads sum0 itself and three times by f1; each of these reads the
  // image once and three times.
  EXPECT_EQ(reads.OfStored(4), 16);
  EXPECT_EQ(reads.OfStored(1), 3);
  const LoopState stored = NaiveState(dag);
  EXPECT_EQ(InlinedReads(stored).PerElement(0), 3);
  EXPECT_EQ(InlinedReads(stored).OfStored(4), 2);
}

// Along each of the 2^40 ways, the count would not end.
TEST(InlinedReadsTest, DiamondsAreCountedUpToALimit) {
  const ComputeDag dag = DiamondsDag(40, 64, /*taps=*/3);
  const LoopState state = WithInlined(dag);
  EXPECT_EQ(InlinedReads(state).PerElement(0), int64_t{1} << 20);
  EXPECT_EQ(InlinedReads(state).OfStored(80), int64_t{1} << 20);
}

}  // namespace
}  // namespace pruner
