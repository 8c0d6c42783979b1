// How often each thing about a candidate is mutated (docs/algorithms.md A9).
#ifndef PRUNER_SAMPLE_MUTATION_WEIGHTS_H_
#define PRUNER_SAMPLE_MUTATION_WEIGHTS_H_

#include <array>

#include "pruner/sketch/decision.h"

namespace pruner {

// In proportion to each other, for every decision of a kind that a candidate
// has, so that a kind is drawn as often as there is something of it. A
// convolution with six tiles, one reduction and one stage to place has A9's
// frequencies.
struct MutationWeights {
  // By DecisionKind.
  std::array<double, kNumDecisionKinds> of = {};
  // That the sketch itself is another one; once for a candidate.
  double sketch = 0;

  double Of(DecisionKind kind) const { return of[static_cast<int>(kind)]; }
};

//                           tile  vector threads factor location parallel
//                           unroll storage_order stream; there are no knobs
inline constexpr MutationWeights kParallelLoopWeights = {
    .of = {0.15, 0.15, 0.15, 0.15, 0.05, 0.005, 0.04, 0.05, 0.15},
    .sketch = 0.02};
// A convolution for threads has the vectors of two copies besides.
inline constexpr MutationWeights kGridWeights = {
    .of = {0.11, 0.11, 0.11, 0.11, 0.05, 0.005, 0.10, 0.05, 0.15},
    .sketch = 0.02};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_MUTATION_WEIGHTS_H_
