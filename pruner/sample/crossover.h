// A child of two schedules of one sketch (docs/algorithms.md A9): of each stage
// it has the tile sizes and choices of one parent or the other.
#ifndef PRUNER_SAMPLE_CROSSOVER_H_
#define PRUNER_SAMPLE_CROSSOVER_H_

#include <optional>
#include <vector>

#include "pruner/base/rng.h"
#include "pruner/sample/choices.h"
#include "pruner/sample/split_info.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// What decides a complete schedule, given its sketch.
struct Genes {
  Schedule tiled;  // the sketch's steps with tile sizes
  Choices choices;

  bool operator==(const Genes&) const = default;
};

// For every stage the first of those that it shares its tiles with: a sketch
// splits one like the other, or computes one inside the other's loops. `state`
// is the sketch's.
std::vector<int> StageGroups(const Schedule& sketch, const LoopState& state);

// Stages of a group have the same parent; of the groups that differ at least
// one comes from each. nullopt if a single group differs: every child would be
// one of the parents. `splits` and `groups` are of the sketch that both fill.
std::optional<Genes> CrossGenes(const std::vector<SplitInfo>& splits,
                                const std::vector<int>& groups, const Genes& a,
                                const Genes& b, Rng& rng);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_CROSSOVER_H_
