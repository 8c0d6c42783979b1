#include "pruner/sample/search_space.h"

#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<CandidateDraw> Complete(SearchSpace& space, Candidate candidate,
                                       Rng* rng) {
  ASSIGN_OR_RETURN(std::optional<Rejection> rejection,
                   space.Repair(rng, candidate));
  if (!rejection) {
    ASSIGN_OR_RETURN(rejection, space.Check(candidate));
  }
  if (rejection) return *rejection;
  return candidate;
}

size_t NumValues(const SearchSpace& space, int sketch) {
  const absl::Span<const Decision> decisions = space.Decisions(sketch);
  return decisions.empty() ? 0
                           : decisions.back().first + decisions.back().count;
}

}  // namespace pruner
