// File: split_info.h
//
// What the splits of a sketch split: the same for all schedules made from it.
#ifndef PRUNER_SAMPLE_SPLIT_INFO_H_
#define PRUNER_SAMPLE_SPLIT_INFO_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

struct SplitInfo {
  int step = 0;  // index of the SplitStep in the schedule
  int stage = 0;
  int axis = 0;
  int64_t extent = 1;
  AxisKind kind = AxisKind::kSpatial;
  // The stage's innermost split spatial axis: the one that is vectorized.
  bool is_vector_axis = false;
  // Tiles need not divide the extent: the stage is computed inside a consumer
  // that moves its last tile inwards.
  bool may_overlap = false;
};

// One for each SplitStep, in order. Error: a step that does not fit the DAG.
absl::StatusOr<std::vector<SplitInfo>> FindSplits(const ComputeDag& dag,
                                                  const Schedule& schedule);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_SPLIT_INFO_H_
