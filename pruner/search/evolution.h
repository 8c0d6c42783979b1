// Evolution guided by a model (docs/algorithms.md A9): from a population of
// candidates, generation by generation, those that the model takes to be fast.
#ifndef PRUNER_SEARCH_EVOLUTION_H_
#define PRUNER_SEARCH_EVOLUTION_H_

#include <cstddef>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/search/candidate_scorer.h"
#include "pruner/search/search_policy.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

struct EvolutionParameters {
  int population = 2048;
  // How often children are bred; 0: the first population is scored alone.
  int generations = 4;
  // The others are their parents' copies.
  double mutation_probability = 0.85;
  // The share of children that have two parents, in Ansor's prototype only,
  // where it is 0.05.
  double crossover = 0;
  // Parents are drawn with a probability proportional to this power of their
  // scores: 1 in Ansor.
  double selection_power = 1;
  // Of candidates with the same score one is kept before the others are: trees
  // give the same score to what differs in ways that they do not see. Ansor
  // keeps them as they come.
  bool distinct_scores = false;
};

struct ScoredCandidate {
  Candidate candidate;
  double score = 0;
};

// The `keep` candidates of all generations with the highest scores, best first,
// each once, of those for which `is_wanted` holds; of equal scores the first
// found. Those with scores that are not positive are no parents, if others are.
// Draws that come to nothing are counted in `rejections`. `initial`: repaired
// candidates, as many as there may be. Error: what scorer, space or mutation
// return.
absl::StatusOr<std::vector<ScoredCandidate>> Evolve(
    ScheduleSpace& space, std::vector<Candidate> initial,
    CandidateScorer& scorer, const EvolutionParameters& parameters, size_t keep,
    const std::function<bool(const Candidate&)>& is_wanted, Rng& rng,
    RejectionCounts& rejections);

// Up to `count` different random candidates; fewer where so many draws in a row
// as `attempts` give nothing new.
absl::StatusOr<std::vector<Candidate>> SampleDistinct(
    ScheduleSpace& space, size_t count, int attempts, Rng& rng,
    RejectionCounts& rejections);

}  // namespace pruner

#endif  // PRUNER_SEARCH_EVOLUTION_H_
