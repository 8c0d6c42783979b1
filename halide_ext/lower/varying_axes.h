// Where the extents that Halide computes differ from place to place.
#ifndef HALIDE_EXT_LOWER_VARYING_AXES_H_
#define HALIDE_EXT_LOWER_VARYING_AXES_H_

#include <vector>

#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// By stage and axis: whether the stage, computed inside a loop of its reader,
// is needed in a part whose extent depends on that loop's iteration, so that a
// loop over all of the axis has no constant extent in Halide. That is so where
// indices are clamped, divided or otherwise more than a sum, where reads with
// different terms are covered together, and where the last tile of the reader
// is cut off by a guard. The state's extents are then those of the largest
// part, or more. `state` is what `schedule` replays to.
// Extents of the stages in `guessed` are not known where they are at the root,
// either.
std::vector<std::vector<bool>> VaryingAxes(const Schedule& schedule,
                                           const LoopState& state,
                                           const std::vector<bool>& guessed);

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_VARYING_AXES_H_
