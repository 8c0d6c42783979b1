// Where the extents that Halide computes differ from place to place.
#ifndef HALIDE_EXT_LOWER_VARYING_AXES_H_
#define HALIDE_EXT_LOWER_VARYING_AXES_H_

#include <vector>

#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// By stage and axis: whether Halide may find that less of the stage is needed
// where it is computed than its readers seem to read: of `read_in_part`, by
// stage and spatial axis, and of what is read for these where they are not
// computed whole.
std::vector<std::vector<bool>> ShrinkingAxes(
    const LoopState& state, const std::vector<std::vector<bool>>& read_in_part);

// By stage and axis: whether the stage, computed inside a loop of its reader,
// is needed in a part whose extent depends on that loop's iteration, so that a
// loop over all of the axis has no constant extent in Halide. That is so where
// indices are clamped, divided or otherwise more than a sum, where reads with
// different terms are covered together, where the last tile of the reader is
// cut off by a guard, and where it may be `shrinking` (ShrinkingAxes). The
// state's extents are then those of the largest part, or more. `state` is what
// `schedule` replays to. Extents of the stages in `guessed` are not known where
// they are at the root, either.
std::vector<std::vector<bool>> VaryingAxes(
    const Schedule& schedule, const LoopState& state,
    const std::vector<bool>& guessed,
    const std::vector<std::vector<bool>>& shrinking);

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_VARYING_AXES_H_
