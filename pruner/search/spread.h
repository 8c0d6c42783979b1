// Batches of candidates that are not all alike.
#ifndef PRUNER_SEARCH_SPREAD_H_
#define PRUNER_SEARCH_SPREAD_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "pruner/sample/search_space.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

// The same candidates, the best of which come first, in another order: the
// first, the second, the fourth, …; then the others.
std::vector<Candidate> SpreadOverRanks(absl::Span<const Candidate> candidates);

// The same candidates, the best of which come first and n of which are wanted,
// in another order: of the first n half have the innermost tiles of the best
// one, half of the rest those of the best that has others, and so on. What an
// innermost tile is worth is hard to predict, and the best by a model often
// have the same.
std::vector<Candidate> SpreadOverTiles(const SearchSpace& space,
                                       absl::Span<const Candidate> candidates,
                                       size_t n);

}  // namespace pruner

#endif  // PRUNER_SEARCH_SPREAD_H_
