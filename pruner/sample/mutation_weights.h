// How often each thing about a schedule is mutated (docs/algorithms.md A9).
#ifndef PRUNER_SAMPLE_MUTATION_WEIGHTS_H_
#define PRUNER_SAMPLE_MUTATION_WEIGHTS_H_

#include "pruner/target/target_spec.h"

namespace pruner {

// In proportion to each other, among those that a schedule has something of.
struct MutationWeights {
  double tile_size = 0;
  double auto_unroll = 0;
  double location = 0;  // where a stage is computed that no rule placed
  double parallel = 0;  // how many loops the parallel one is made of
};

// Targets whose outermost tiles become a parallel loop, and all others.
inline constexpr MutationWeights kParallelLoopWeights = {
    .tile_size = 0.90, .auto_unroll = 0.04, .location = 0.05, .parallel = 0.01};
inline constexpr MutationWeights kGridWeights = {.tile_size = 0.90,
                                                 .auto_unroll = 0.10};

inline const MutationWeights& MutationWeightsOf(const TargetSpec& target) {
  return target.TileLevelBoundTo(Binding::kParallel) ? kParallelLoopWeights
                                                     : kGridWeights;
}

}  // namespace pruner

#endif  // PRUNER_SAMPLE_MUTATION_WEIGHTS_H_
