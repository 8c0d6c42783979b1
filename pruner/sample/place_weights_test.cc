#include "pruner/sample/place_weights.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/sample/compute_location.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/candidate.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

constexpr int kStage = 1, kReader = 2;

// Of stage s0 of two stencils, s1 being cut into strips of so many rows.
struct Weights {
  std::vector<PossiblePlace> places;
  std::vector<double> weights;

  double Of(int32_t location) const {
    for (size_t i = 0; i < places.size(); ++i) {
      if (places[i].location == location) return weights[i];
    }
    ADD_FAILURE() << "no location " << location;
    return 0;
  }
};

Weights WeightsOf(const ComputeDag& dag, Schedule schedule, int stage) {
  static const TargetSpec kTarget = SampleCpuTarget();
  LoopState state = *ReplayStructure(dag, schedule);
  Placement placement(schedule, state);
  for (int reader = dag.size() - 1; reader > stage; --reader)
    EXPECT_TRUE(placement.Place(reader, Location::kRoot).ok());
  const std::vector<PossiblePlace> places = placement.PlacesOf(stage).value();
  return {.places = places,
          .weights = PlaceWeights(kTarget, dag.stage(stage), places)};
}

Weights WeightsOf(int64_t size, int64_t strip) {
  const ComputeDag dag = StencilsDag(2, size);
  return WeightsOf(dag,
                   {.steps = {SplitStep{
                        .stage = kReader, .iterator = 0, .lengths = {strip}}}},
                   kStage);
}

TEST(PlaceWeightsTest, EveryPlaceHasAChance) {
  const Weights w = WeightsOf(4096, 64);
  ASSERT_GE(w.weights.size(), 4u);  // root, inlined, a strip, a row
  for (const double weight : w.weights) EXPECT_GT(weight, 0.02);
  EXPECT_NEAR(std::accumulate(w.weights.begin(), w.weights.end(), 0.0), 1,
              1e-9);
}

TEST(PlaceWeightsTest, WhatFitsACacheNeedNotGoThroughMemory) {
  const Weights w = WeightsOf(4096, 16);
  EXPECT_GT(w.Of(Location::At(kReader, 0)), 2 * w.Of(Location::kRoot));
  // A strip that is as large as the image, or nearly so, changes nothing.
  const Weights large = WeightsOf(4096, 4096 / 2);
  EXPECT_GT(w.Of(Location::At(kReader, 0)), large.Of(Location::At(kReader, 0)));
}

// A chain is computed in one loop as a whole, or not at all.
TEST(PlaceWeightsTest, AStageIsDrawnToItsReader) {
  constexpr int64_t kSize = 4096;
  const ComputeDag dag = StencilsDag(3, kSize);
  const int reader = dag.size() - 1, stage = reader - 2;
  Schedule schedule = {
      .steps = {SplitStep{.stage = reader, .iterator = 0, .lengths = {64}}}};
  LoopState state = *ReplayStructure(dag, schedule);
  Placement placement(schedule, state);
  const int32_t strip = Location::At(reader, 0);
  ASSERT_TRUE(placement.Place(reader - 1, strip).ok());
  std::vector<PossiblePlace> places = placement.PlacesOf(stage).value();
  const auto weight_of_strip = [&] {
    const std::vector<double> weights =
        PlaceWeights(SampleCpuTarget(), dag.stage(stage), places);
    for (size_t i = 0; i < places.size(); ++i) {
      if (places[i].location == strip) return weights[i];
    }
    return 0.0;
  };
  const double with_reader = weight_of_strip();
  for (PossiblePlace& place : places) {
    EXPECT_EQ(place.is_with_reader, place.location == strip);
    place.is_with_reader = false;
  }
  EXPECT_GT(with_reader, 1.2 * weight_of_strip());
}

// A copy of a product, which is computed tile by tile inside of it, can itself
// be computed in the strips of its reader that its tiles come out even in.
TEST(PlaceWeightsTest, ANestOfTilesIsNotComputedOverAndOver) {
  constexpr int64_t kSize = 64, kStrip = 16;
  constexpr int kLocal = 2, kCopy = 3, kOut = 4;
  const ComputeDag dag = MatmulReluDag(kSize, kSize, kSize);
  for (const int64_t tile : {4, 16, 32}) {
    Schedule schedule = {
        .steps = {
            CacheWriteStep{.stage = kLocal},
            SplitStep{.stage = kCopy, .iterator = 0, .lengths = {tile}},
            SplitStep{.stage = kOut, .iterator = 0, .lengths = {kStrip}},
            ComputeAtStep{
                .stage = kLocal, .target_stage = kCopy, .target_iterator = 0}}};
    LoopState state = *ReplayStructure(dag, schedule);
    Placement placement(schedule, state);
    ASSERT_TRUE(placement.Place(kOut, Location::kRoot).ok());
    const std::vector<PossiblePlace> places = placement.PlacesOf(kCopy).value();
    const auto strip =
        std::find_if(places.begin(), places.end(), [](const auto& place) {
          return place.location == Location::At(kOut, 0);
        });
    // A strip of 16 rows has no whole tile of 32.
    ASSERT_EQ(strip != places.end(), tile <= kStrip) << tile;
    if (tile > kStrip) continue;
    EXPECT_EQ(strip->elements, kSize * kSize);
    EXPECT_EQ(strip->held, kStrip * kSize);
  }
}

// A padded input is read for every channel, row and column of a kernel.
TEST(PlaceWeightsTest, WhatAReductionReadsIsSeldomInlined) {
  constexpr int kPad = 3;
  const ComputeDag dag = ConvBiasReluDag({});
  const Weights w = WeightsOf(dag, {}, kPad);
  EXPECT_GT(w.Of(Location::kRoot), 5 * w.Of(Location::kInlined));
}

}  // namespace
}  // namespace pruner
