// How much of its axes, and so how far its loops, a stage is computed where it
// is attached to another stage's loop.
#ifndef PRUNER_SCHEDULE_INFER_BOUNDS_H_
#define PRUNER_SCHEDULE_INFER_BOUNDS_H_

#include "absl/status/status.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/regions.h"

namespace pruner {

// Sets axis_extents of every stage, and from them the extents of its loops: a
// loop of stride s and length l covers min(l, ceil(extent / s)) iterations.
// Errors: a hole in a split; a stage attached where one of its readers is not
// computed.
absl::Status InferBounds(LoopState& state);

// The same of one stage, after those behind it; `regions` are those of `state`.
absl::Status InferBoundsOf(int stage, Regions& regions, LoopState& state);

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_INFER_BOUNDS_H_
