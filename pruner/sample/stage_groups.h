// Which stages of a sketch belong together, so that crossover takes their
// decisions from one parent.
#ifndef PRUNER_SAMPLE_STAGE_GROUPS_H_
#define PRUNER_SAMPLE_STAGE_GROUPS_H_

#include <vector>

#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// For every stage the first of those that it shares its tiles with: a sketch
// splits one like the other, or computes one inside the other's loops. `state`
// is the sketch's.
std::vector<int> StageGroups(const Schedule& sketch, const LoopState& state);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_STAGE_GROUPS_H_
