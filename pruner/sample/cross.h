// A child of two candidates of one sketch (docs/algorithms.md A9): of each
// group of decisions it has the values of one parent or the other.
#ifndef PRUNER_SAMPLE_CROSS_H_
#define PRUNER_SAMPLE_CROSS_H_

#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/sample/search_space.h"

namespace pruner {

// Decisions of a group (SearchSpace::Groups) have the same parent; of the
// groups that differ at least one comes from each. What does not fit is drawn
// anew. A child of equal parents is that parent. Rejection::kParents if they
// are of different sketches, kUnchanged if every child would be one of the
// parents.
absl::StatusOr<CandidateDraw> Cross(SearchSpace& space, const Candidate& a,
                                    const Candidate& b, Rng& rng);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_CROSS_H_
