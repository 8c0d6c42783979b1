// Where stages that no rule placed can be computed (docs/algorithms.md A5.2),
// as values of the decision (Location of candidate.h).
#ifndef PRUNER_SAMPLE_COMPUTE_LOCATION_H_
#define PRUNER_SAMPLE_COMPUTE_LOCATION_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// Of all functions `state` has the stages behind `stage` where they are
// computed.

// At the root, inlined if it can be, and loops of other stages (A5a), outermost
// first, of the outer stage first. Needs inferred bounds.
std::vector<int32_t> LocationsOf(const LoopState& state, int stage);

// Whether a location that was chosen under other tile sizes or for other stages
// is one still.
bool LocationFits(const LoopState& state, int stage, int32_t location);

// The step that says so.
TransformStep PlacingStep(int stage, int32_t location);
// Appends it, and applies it. Error: no location.
absl::Status Place(int stage, int32_t location, Schedule& schedule,
                   LoopState& state);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_COMPUTE_LOCATION_H_
