// Schedules beyond what the sampler makes: any steps that replay accepts, in
// any order that makes sense.
#ifndef HALIDE_EXT_TESTS_RANDOM_STEPS_H_
#define HALIDE_EXT_TESTS_RANDOM_STEPS_H_

#include "pruner/base/rng.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// Splits that do not divide, with every tail, fusions, orders, stages computed
// at any loop that holds their readers, inserted stages, any storage order, and
// loops unrolled, vectorized and parallel wherever Halide allows it. Limited to
// what is compiled and run quickly. Same generator state, same schedule.
Schedule RandomSteps(const ComputeDag& dag, Rng& rng);

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_RANDOM_STEPS_H_
