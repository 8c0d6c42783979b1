// Simulated annealing on scores, as AutoTVM plans what it measures next
// (docs/algorithms.md C2).
#ifndef PRUNER_SEARCH_ANNEALING_H_
#define PRUNER_SEARCH_ANNEALING_H_

#include <limits>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/sample/search_space.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

struct AnnealingOptions {
  int chains = 128;
  int iterations = 500;
  // It ends when so many iterations in a row have found nothing better.
  int patience = 50;
  // The temperature falls from here to 0, in units of the scores.
  double temperature = 1;
  // Candidates of lower scores are not planned.
  double least_score = -std::numeric_limits<double>::infinity();
};

// InvalidArgument, naming it, if one is out of range.
absl::Status CheckAnnealingOptions(const AnnealingOptions& options);

// Chains that walk through a space and stay where they are between plans. Not
// thread-safe.
class Annealing {
 public:
  struct Planned {
    Candidate candidate;
    double score = 0;
  };
  // A score for each candidate, in order; higher is better, minus infinity: not
  // to be planned whatever happens.
  using ScoreAll = absl::FunctionRef<absl::StatusOr<std::vector<double>>(
      absl::Span<const Candidate>)>;
  using IsKnown = absl::FunctionRef<bool(const Candidate&)>;

  // The space must outlive it; CheckAnnealingOptions is OK (checked).
  Annealing(SearchSpace& space, const AnnealingOptions& options);

  // The highest-scored candidates that the chains met and that are not known,
  // the best first; fewer than `count` if they met fewer. A move draws one
  // decision anew, and is taken with probability min(1, e^(difference /
  // temperature)). Errors: those of the scores; a bug of the space.
  absl::StatusOr<std::vector<Planned>> Plan(int count, ScoreAll score_all,
                                            IsKnown is_known, Rng& rng);

  // The next plan begins elsewhere.
  void Restart() { places_.clear(); }

 private:
  // The chains' places at first.
  absl::Status Begin(Rng& rng);
  // A place next to another; that place itself if there is none.
  absl::StatusOr<Candidate> Move(const Candidate& from, Rng& rng);

  SearchSpace& space_;
  const AnnealingOptions options_;
  std::vector<Candidate> places_;
};

}  // namespace pruner

#endif  // PRUNER_SEARCH_ANNEALING_H_
