#include "pruner/sample/sample.h"

#include <utility>

#include "pruner/base/status_macros.h"

namespace pruner {

absl::StatusOr<CandidateDraw> Sample(SearchSpace& space, Rng& rng) {
  Candidate candidate;
  ASSIGN_OR_RETURN(candidate.sketch, space.DrawSketch(rng));
  candidate.values.assign(NumValues(space, candidate.sketch), kOpen);
  return Complete(space, std::move(candidate), &rng);
}

}  // namespace pruner
