// What the splits of a sketch split: the same for all schedules made from it.
#ifndef PRUNER_SAMPLE_SPLIT_INFO_H_
#define PRUNER_SAMPLE_SPLIT_INFO_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

enum class SplitRole {
  kTile,     // the levels of a tile
  kVector,   // vectors of a thread, in a copy to shared memory or a stage that
             // no rule tiled
  kThreads,  // threads of a block, for a stage that no rule tiled
};

struct SplitInfo {
  SplitRole role = SplitRole::kTile;
  int step = 0;   // index of the SplitStep or RfactorStep in the schedule
  int stage = 0;  // by its number in the end
  int axis = 0;
  int64_t extent = 1;
  AxisKind kind = AxisKind::kSpatial;
  // The stage's innermost split spatial axis: the one that is vectorized.
  bool is_vector_axis = false;
  // Tiles need not divide the extent: the stage is computed inside a consumer
  // that moves its last tile inwards.
  bool may_overlap = false;
};

// One for each SplitStep and RfactorStep with a hole, in order. What has its
// lengths already keeps them. Error: a step that does not fit the DAG.
absl::StatusOr<std::vector<SplitInfo>> FindSplits(const ComputeDag& dag,
                                                  const Schedule& sketch);

// The extents of all but the outermost of the loops that such a step makes of
// one, outermost first; 0 for a hole.
std::vector<int64_t> LengthsOf(const TransformStep& step);
void SetLengths(std::vector<int64_t> lengths, TransformStep& step);

// Whether the schedule begins with the steps of the sketch, lengths in place of
// its holes.
bool Fills(const Schedule& schedule, const Schedule& sketch);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_SPLIT_INFO_H_
