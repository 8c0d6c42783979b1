// Which places for a stage are worth trying first: a rough guess of what each
// costs, work done over and over against values that go through memory.
#ifndef PRUNER_SAMPLE_LOCATION_WEIGHTS_H_
#define PRUNER_SAMPLE_LOCATION_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// The chances of `locations`, which LocationsOf gave for the stage, in
// proportion to each other. All are positive. Requires what LocationsOf does.
std::vector<double> LocationWeights(const TargetSpec& target,
                                    const LoopState& state, int stage,
                                    absl::Span<const int32_t> locations);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_LOCATION_WEIGHTS_H_
