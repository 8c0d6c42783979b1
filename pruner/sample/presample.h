// Presampling: looking for candidates that can be measured, before any is, in a
// space of which most cannot (docs/algorithms.md C2; Figure 3 of the paper).
#ifndef PRUNER_SAMPLE_PRESAMPLE_H_
#define PRUNER_SAMPLE_PRESAMPLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/sample/search_space.h"
#include "pruner/sample/validity_oracle.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

// Candidates that are looked at for each of the first batch. Ours: the paper's
// number is lost, and fewer find less of what is valid in a space of thousands
// (docs/initialization.md).
inline constexpr int kPresamplePerTrial = 40;

struct PresampleOptions {
  // Candidates that the oracle is asked about at a time.
  int batch = 50;
  // After how many it ends; a batch is finished.
  int64_t candidates = 1000;
};

// Batches of a presample of so many: several, where neighbours of what is valid
// are looked at in the next one, each enough for several workers, and 50 at
// most, as in the study.
inline int PresampleBatch(int64_t candidates) {
  return static_cast<int>(
      std::min(candidates, std::clamp<int64_t>(candidates / 4, 4, 50)));
}

// What is known of a space, each candidate once, in the order of finding.
struct Presample {
  std::vector<Candidate> valid;
  std::vector<Candidate> invalid;

  size_t size() const { return valid.size() + invalid.size(); }
};

// Begins with the neighbours of valid candidates that are `known`, or at random
// if there are none. Valid candidates cluster, so the neighbours of one that
// was found are looked at next, and a random candidate for each invalid one.
// Ends early if draws find no more new candidates. What was known is not looked
// at and not in what is returned. Errors: InvalidArgument for options out of
// range; the oracle's; a bug of the space.
absl::StatusOr<Presample> PresampleSpace(SearchSpace& space,
                                         ValidityOracle& oracle,
                                         const PresampleOptions& options,
                                         Rng& rng, const Presample& known = {});

}  // namespace pruner

#endif  // PRUNER_SAMPLE_PRESAMPLE_H_
