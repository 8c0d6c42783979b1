// Candidates that differ from another in one thing (docs/algorithms.md A9).
#ifndef PRUNER_SAMPLE_MUTATE_H_
#define PRUNER_SAMPLE_MUTATE_H_

#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/sample/search_space.h"

namespace pruner {

// `candidate` with one thing drawn anew, and what depends on it made to fit.
// What it is is drawn with the space's weights: a decision, each of a kind
// equally likely, or the sketch, whose values are kept where the new one
// decides the same. Of a tile half of the mutations move a prime factor between
// two of its levels, or between the innermost tiles of two axes of the stage,
// and half draw it anew. Rejection::kUnchanged where nothing comes of it.
absl::StatusOr<CandidateDraw> Mutate(SearchSpace& space,
                                     const Candidate& candidate, Rng& rng);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_MUTATE_H_
