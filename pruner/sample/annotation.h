// Parallel, unrolled and vectorized loops (docs/algorithms.md A5.3 to A5.5).
#ifndef PRUNER_SAMPLE_ANNOTATION_H_
#define PRUNER_SAMPLE_ANNOTATION_H_

#include "absl/status/status.h"
#include "pruner/base/rng.h"
#include "pruner/sample/choices.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// How many of the stage's outermost loops can become one parallel loop.
int MaxParallelLoops(const LoopState& state, int stage);

// Makes outermost spatial loops of every stage at the root one parallel loop:
// as many as `choices` say, or until there are enough iterations for all cores
// many times over.
absl::Status AnnotateParallel(const TargetSpec& target, const Choices& choices,
                              Schedule& schedule, LoopState& state);

// Loops of the register tile: the innermost is vectorized, those between it and
// the innermost reduction loop are unrolled. Of untiled stages the innermost
// spatial loop is vectorized, brought inside the reduction first.
absl::Status AnnotateInnermost(const TargetSpec& target, Schedule& schedule,
                               LoopState& state);

// How far the loops of every reduction are unrolled, drawn where `choices` do
// not say it.
absl::Status DrawUnrolling(const TargetSpec& target, const Choices& choices,
                           Rng& rng, Schedule& schedule, LoopState& state);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_ANNOTATION_H_
