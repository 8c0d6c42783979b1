// The candidates next to one, and how far two are apart (docs/algorithms.md
// C4).
#ifndef PRUNER_SAMPLE_NEIGHBOURS_H_
#define PRUNER_SAMPLE_NEIGHBOURS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "pruner/sample/search_space.h"

namespace pruner {

// Those that differ by one prime factor that is moved between adjacent levels
// of a tile, or by one step in the order of a choice, each once and in the
// order of the decisions. Where nothing else has to be drawn anew: all are
// complete, but not all need be within the limits.
absl::StatusOr<std::vector<Candidate>> Neighbours(SearchSpace& space,
                                                  const Candidate& candidate);

// The steps between two candidates: for each level of a tile how far its
// factors are apart on a scale of log2, for each choice how many steps lie
// between. What only one of them decides counts as kUndecidedDistance.
inline constexpr double kUndecidedDistance = 2;
double Distance(const SearchSpace& space, const Candidate& a,
                const Candidate& b);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_NEIGHBOURS_H_
