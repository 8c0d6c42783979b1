// Evolution guided by a model (docs/algorithms.md A9): from a population of
// candidates, generation by generation, those that the model takes to be fast.
#ifndef PRUNER_SEARCH_EVOLUTION_H_
#define PRUNER_SEARCH_EVOLUTION_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/container/node_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/sample/rejection.h"
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

// Draws parents; see evolution.cc.
class ParentDraw;

// Not thread-safe.
class Evolution {
 public:
  // Space and scorer, which has nothing left to score, must outlive it.
  Evolution(ScheduleSpace& space, CandidateScorer& scorer,
            const EvolutionParameters& parameters)
      : space_(space), scorer_(scorer), parameters_(parameters) {
    scorer_.Begin();
  }
  // Nothing is left with the scorer, which may be at work on it, also where an
  // error ended this early.
  ~Evolution() { scorer_.TakeScores().IgnoreError(); }

  Evolution(const Evolution&) = delete;
  Evolution& operator=(const Evolution&) = delete;

  // One of the first population, repaired. As many as there may be; it costs
  // least right after it was drawn. Error: what the scorer returns.
  absl::Status Add(const Candidate& candidate);

  // Breeds all generations, once. Draws that come to nothing are counted in
  // `rejections`. Error: what scorer, space or mutation return.
  absl::Status Run(Rng& rng, RejectionCounts& rejections);

  // The same from up to `count` random candidates, which are added first; see
  // SampleDistinct.
  absl::Status RunFromRandom(size_t count, int attempts, Rng& rng,
                             RejectionCounts& rejections);

  // The `keep` candidates of all generations with the highest scores, best
  // first, each once, of those for which `is_wanted` holds; of equal scores the
  // first found. Those with scores that are not positive are no parents, if
  // others are.
  std::vector<Candidate> Best(
      size_t keep, absl::FunctionRef<bool(const Candidate&)> is_wanted) const;
  // Of one that Best gave.
  double ScoreOf(const Candidate& candidate) const {
    return scores_.at(candidate);
  }

 private:
  // A candidate and its score.
  using Scored = std::pair<const Candidate, double>;

  // Scores those of the population that have none yet.
  absl::Status Score();
  // The next population.
  absl::Status Breed(Rng& rng, RejectionCounts& rejections);
  absl::StatusOr<CandidateDraw> BreedOne(const ParentDraw& draw, Rng& rng);

  ScheduleSpace& space_;
  CandidateScorer& scorer_;
  const EvolutionParameters parameters_;
  // All there were, each once, and in the order found.
  absl::node_hash_map<Candidate, double> scores_;
  std::vector<Scored*> found_;
  size_t num_scored_ = 0;  // of found_
  std::vector<const Scored*> population_;
};

// Up to `count` different random candidates; fewer where so many draws in a row
// as `attempts` give nothing new. Each is handed to `on_drawn` while the space
// has its program. Error: what it, or the space, returns.
absl::StatusOr<std::vector<Candidate>> SampleDistinct(
    ScheduleSpace& space, size_t count, int attempts, Rng& rng,
    RejectionCounts& rejections,
    absl::FunctionRef<absl::Status(const Candidate&)> on_drawn);

}  // namespace pruner

#endif  // PRUNER_SEARCH_EVOLUTION_H_
