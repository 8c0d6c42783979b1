// Where stages that no rule placed are computed (docs/algorithms.md A5.2).
#ifndef PRUNER_SAMPLE_COMPUTE_LOCATION_H_
#define PRUNER_SAMPLE_COMPUTE_LOCATION_H_

#include <vector>

#include "absl/status/status.h"
#include "pruner/base/rng.h"
#include "pruner/sample/choices.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// Loops of other stages at which `stage` may be computed (A5a), outermost
// first, of the outer stage first. Requires inferred bounds.
std::vector<ComputeAtStep> LocationCandidates(const LoopState& state,
                                              int stage);

// Whether the sampler places the stage: it is not an output, and no rule placed
// it or, unless it is packed, tiled it.
bool IsPlaceable(const LoopState& state, int stage);

// Gives each placeable stage, last to first, the location that `choices` name
// or, where none is named or it does not fit, one drawn uniformly; appends the
// steps. Error: bounds that do not fit, which would be a bug.
absl::Status DrawLocations(const Choices& choices, Rng& rng, Schedule& schedule,
                           LoopState& state);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_COMPUTE_LOCATION_H_
