// From genes to schedules: the phenotype of a candidate, which is what is
// measured and stored.
#ifndef PRUNER_SAMPLE_INSTANTIATE_H_
#define PRUNER_SAMPLE_INSTANTIATE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/sketch.h"
#include "pruner/sketch/sketch_rule.h"

namespace pruner {

// A schedule with the loops that it makes.
struct Instance {
  Schedule schedule = {};
  LoopState state = {};
};

// The steps of the sketch with the values of their decisions in them, and their
// loops, of which bounds are still to be inferred (Placement). Error: they do
// not fit the DAG.
absl::StatusOr<Instance> FillHoles(const ComputeDag& dag, const Sketch& sketch,
                                   absl::Span<const int32_t> values);

// Appends the annotations to an instance all of whose stages are placed:
// parallel loops, unrolling, then the innermost loops.
absl::Status Annotate(const TargetSpec& target, const Sketch& sketch,
                      absl::Span<const int32_t> values, Instance& instance);

// All of it: holes, locations, annotations. The values must be repaired ones
// (SearchSpace::Repair); no randomness is left. Error: values that do not fit.
absl::StatusOr<Instance> Instantiate(const SketchContext& context,
                                     const Sketch& sketch,
                                     absl::Span<const int32_t> values);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_INSTANTIATE_H_
