#include "pruner/sample/location_weights.h"

#include <numeric>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/sample/compute_location.h"
#include "pruner/schedule/infer_bounds.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/candidate.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

constexpr int kStage = 1, kReader = 2;

// Of stage s0 of two stencils, s1 being cut into strips of so many rows.
struct Weights {
  std::vector<int32_t> locations;
  std::vector<double> weights;

  double Of(int32_t location) const {
    for (size_t i = 0; i < locations.size(); ++i) {
      if (locations[i] == location) return weights[i];
    }
    ADD_FAILURE() << "no location " << location;
    return 0;
  }
};

Weights WeightsOf(int64_t size, int64_t strip) {
  static const TargetSpec kTarget = SampleCpuTarget();
  const ComputeDag dag = StencilsDag(2, size);
  LoopState state =
      *Replay(dag, {.steps = {SplitStep{
                        .stage = kReader, .iterator = 0, .lengths = {strip}}}});
  EXPECT_TRUE(InferBounds(state).ok());
  const std::vector<int32_t> locations = LocationsOf(state, kStage);
  return {.locations = locations,
          .weights = LocationWeights(kTarget, state, kStage, locations)};
}

TEST(LocationWeightsTest, EveryPlaceHasAChance) {
  const Weights w = WeightsOf(4096, 64);
  ASSERT_GE(w.weights.size(), 4u);  // root, inlined, a strip, a row
  for (const double weight : w.weights) EXPECT_GT(weight, 0.02);
  EXPECT_NEAR(std::accumulate(w.weights.begin(), w.weights.end(), 0.0), 1,
              1e-9);
}

TEST(LocationWeightsTest, WhatFitsACacheNeedNotGoThroughMemory) {
  const Weights w = WeightsOf(4096, 16);
  EXPECT_GT(w.Of(Location::At(kReader, 0)), 2 * w.Of(Location::kRoot));
  // A strip that is as large as the image, or nearly so, changes nothing.
  const Weights large = WeightsOf(4096, 4096 / 2);
  EXPECT_GT(w.Of(Location::At(kReader, 0)), large.Of(Location::At(kReader, 0)));
}

// A padded input is read for every channel, row and column of a kernel.
TEST(LocationWeightsTest, WhatAReductionReadsIsSeldomInlined) {
  const TargetSpec target = SampleCpuTarget();
  const ComputeDag dag = ConvBiasReluDag({});
  constexpr int kPad = 3;
  const LoopState state = *Replay(dag, {});
  const std::vector<int32_t> places = {Location::kRoot, Location::kInlined};
  const std::vector<double> weights =
      LocationWeights(target, state, kPad, places);
  EXPECT_GT(weights[0], 5 * weights[1]);
}

}  // namespace
}  // namespace pruner
