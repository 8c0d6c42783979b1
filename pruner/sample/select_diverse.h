// The first batch that is measured: of what a presample found, candidates that
// are far apart (docs/algorithms.md C2).
#ifndef PRUNER_SAMPLE_SELECT_DIVERSE_H_
#define PRUNER_SAMPLE_SELECT_DIVERSE_H_

#include <vector>

#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/sample/presample.h"
#include "pruner/sample/search_space.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

// At most `count` of them, by farthest-point selection: one at random, then
// each time the one whose distance to the nearest that was chosen is largest,
// the first of equals. In the order of choosing.
std::vector<Candidate> FarthestPoints(const SearchSpace& space,
                                      absl::Span<const Candidate> candidates,
                                      int count, Rng& rng);

// Of a first batch. Ours, where the paper has 0.5 or so (its text has lost it):
// chosen on the eight of the study's workloads that are not held out.
inline constexpr double kValidShare = 0.9;

// At most `count` of a presample, valid_share (0 to 1) of them valid and the
// rest invalid, which teach a model where not to look. Where there are too few
// of one kind the other has their places. The valid ones come first.
std::vector<Candidate> SelectDiverse(const SearchSpace& space,
                                     const Presample& presample, int count,
                                     double valid_share, Rng& rng);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_SELECT_DIVERSE_H_
