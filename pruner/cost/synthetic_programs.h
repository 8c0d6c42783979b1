// Programs that nobody wrote, with features and times that depend on each other
// much as those of tiled convolutions do: for tests and benchmarks of cost
// models.
#ifndef PRUNER_COST_SYNTHETIC_PROGRAMS_H_
#define PRUNER_COST_SYNTHETIC_PROGRAMS_H_

#include <cstdint>
#include <vector>

#include "pruner/base/rng.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"

namespace pruner {

struct SyntheticPrograms {
  FeatureRows programs = {};
  std::vector<ProgramLabel> labels = {};  // one in 50 failed
};

// `count` random tilings, of each of `tasks` loop nests in turn. Tasks have one
// to nine statements. Most columns are logarithms of products of tile sizes; a
// third is constant, as flags of what a target lacks. Times have noise of 3 %.
SyntheticPrograms MakeSyntheticPrograms(int count, int tasks, int columns,
                                        Rng rng);

}  // namespace pruner

#endif  // PRUNER_COST_SYNTHETIC_PROGRAMS_H_
