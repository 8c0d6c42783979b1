// Which places for a stage are worth trying first: a rough guess of what each
// costs, work done over and over against values that go through memory.
#ifndef PRUNER_SAMPLE_PLACE_WEIGHTS_H_
#define PRUNER_SAMPLE_PLACE_WEIGHTS_H_

#include <vector>

#include "absl/types/span.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/sample/compute_location.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// The chances of places where `stage` can be computed (Placement::PlacesOf), in
// proportion to each other. All are positive.
std::vector<double> PlaceWeights(const TargetSpec& target, const Stage& stage,
                                 absl::Span<const PossiblePlace> places);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_PLACE_WEIGHTS_H_
