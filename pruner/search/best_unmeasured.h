// What a draft model takes to be the fastest schedules of a task, for those who
// may not measure.
#ifndef PRUNER_SEARCH_BEST_UNMEASURED_H_
#define PRUNER_SEARCH_BEST_UNMEASURED_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/search/evolution.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/search_policy.h"

namespace pruner {

struct UnmeasuredParameters {
  int random_candidates = 1536;
  // Draws in a row that may give nothing new.
  int attempts = 100;
  // Pruner's draft (docs/algorithms.md B3) goes on for twice as long: nothing
  // is measured that would correct it.
  EvolutionParameters evolution = {
      .population = 1536, .generations = 4, .distinct_scores = true};
};

struct ScoredProposal {
  Proposal proposal = {};
  double score = 0;  // inputs.draft's
};

// The n best of what evolution guided by inputs.draft finds, best first, each
// schedule once; fewer of a small space, none of a space in which nothing is
// valid. The same rng gives the same. Error: a bug of a rule, whose steps do
// not fit.
absl::StatusOr<std::vector<ScoredProposal>> BestUnmeasured(
    const PolicyInputs& inputs, size_t n, Rng& rng,
    const UnmeasuredParameters& parameters = {});

}  // namespace pruner

#endif  // PRUNER_SEARCH_BEST_UNMEASURED_H_
