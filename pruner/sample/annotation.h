// Parallel, unrolled and vectorized loops (docs/algorithms.md A5.3 to A5.5).
#ifndef PRUNER_SAMPLE_ANNOTATION_H_
#define PRUNER_SAMPLE_ANNOTATION_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// How many of the stage's outermost loops can become one parallel loop.
int MaxParallelLoops(const LoopState& state, int stage);

// How many do, if it is `wanted`, kAutomatic or a number of loops: as many as
// make enough iterations for all cores many times over, unless `wanted` loops
// can, and are not one iteration.
int ParallelLoops(const TargetSpec& target, const LoopState& state, int stage,
                  int32_t wanted);

// The numbers of loops that can be wanted, ascending, kAutomatic in the place
// of the one that it comes to.
std::vector<int32_t> ParallelChoices(const TargetSpec& target,
                                     const LoopState& state, int stage);

// Makes so many outermost spatial loops of a stage at the root one parallel
// loop.
absl::Status AnnotateParallel(const TargetSpec& target, int stage, int count,
                              Schedule& schedule, LoopState& state);

// Says how far the loops of the stage are unrolled, if it is computed at all.
absl::Status AnnotateUnrolling(int stage, int64_t max_step, Schedule& schedule,
                               LoopState& state);

// Loops of the register tile: the innermost is vectorized, those between it and
// the innermost reduction loop are unrolled. Of untiled stages the innermost
// spatial loop is vectorized, brought inside the reduction first.
absl::Status AnnotateInnermost(Schedule& schedule, LoopState& state);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_ANNOTATION_H_
