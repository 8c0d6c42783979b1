#include "pruner/vta/cycles.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "pruner/vta/knobs.h"

namespace pruner {
namespace {

TEST(CyclesTest, Runs) {
  EXPECT_EQ(RunsOf({8}, {8}), 1);
  EXPECT_EQ(RunsOf({4, 3}, {8, 8}), 3);
  EXPECT_EQ(RunsOf({8, 3}, {8, 8}), 1);
  EXPECT_EQ(RunsOf({8, 3, 2}, {8, 8, 4}), 2);
  EXPECT_EQ(RunsOf({8, 8, 2, 2}, {8, 8, 4, 2}), 2);
}

// 64 channels to 64 of a 1x1 kernel on 112 x 112: tiles of 4 x 28 outputs of
// one block, in four steps.
TEST(CyclesTest, ATileByHand) {
  const VtaWorkload& conv = *FindVtaWorkload(76);
  const VtaTiling tiling = {.h = 4, .w = 28};
  const VtaTileCycles tile = TileCyclesOf(conv, VtaSpec(), tiling);
  // 112 vectors of 16 bytes in 4 runs, and a block of 256 bytes.
  EXPECT_EQ(tile.load, 4 * ((32 + 4 * 4 + 224) + (32 + 4 + 32)));
  // Four times 112 products; to clear, to shift and to limit 112 vectors.
  EXPECT_EQ(tile.compute, 4 * (8 + 112) + 3 * (8 + 112));
  EXPECT_EQ(tile.store, 32 + 4 * 4 + 224);
  // 28 x 4 tiles of 4 blocks.
  EXPECT_EQ(CyclesOf(conv, VtaSpec(), tiling), 448 * (1360 + 840 + 272));
  VtaTiling threaded = tiling;
  threaded.h_threads = 2;
  EXPECT_EQ(CyclesOf(conv, VtaSpec(), threaded), 448 * (1360 + 272) + 840);
  EXPECT_DOUBLE_EQ(ThroughputOf(conv, VtaSpec(), threaded),
                   2.0 * 64 * 64 * 112 * 112 / (731976 / 100e6));
}

// The core's peak is 2 x 16 x 16 operations in each cycle.
TEST(CyclesTest, NoValidPointIsFasterThanTheCore) {
  const VtaSpec spec;
  const double peak = 2.0 * 16 * 16 * spec.clock_hz;
  for (const VtaWorkload& workload : VtaWorkloads()) {
    const KnobSpace space = VtaKnobs(workload, spec);
    double best = 0, worst = peak;
    for (int64_t i = 0; i < space.size(); ++i) {
      const VtaTiling tiling = VtaTilingAt(space, space.PointAt(i));
      if (WhyInvalid(workload, spec, tiling)) continue;
      const double throughput = ThroughputOf(workload, spec, tiling);
      best = std::max(best, throughput);
      worst = std::min(worst, throughput);
    }
    EXPECT_LT(best, peak) << workload.id;
    EXPECT_GT(best, 0.02 * peak) << workload.id;
    // What is chosen makes a difference.
    EXPECT_GT(best, 2 * worst) << workload.id;
  }
}

}  // namespace
}  // namespace pruner
