// Candidates at random (Ansor's random annotation, docs/algorithms.md A5).
#ifndef PRUNER_SAMPLE_SAMPLE_H_
#define PRUNER_SAMPLE_SAMPLE_H_

#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/sample/search_space.h"

namespace pruner {

// A sketch, and all of its values.
absl::StatusOr<CandidateDraw> Sample(SearchSpace& space, Rng& rng);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_SAMPLE_H_
