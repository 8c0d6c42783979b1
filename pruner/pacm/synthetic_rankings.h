// Synthetic programs with dataflow blocks, and how well scores rank them: for
// tests and benchmarks of networks.
#ifndef PRUNER_PACM_SYNTHETIC_RANKINGS_H_
#define PRUNER_PACM_SYNTHETIC_RANKINGS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/cost/cost_model.h"
#include "pruner/cost/synthetic_programs.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_model.h"
#include "pruner/pacm/network_shape.h"

namespace pruner {

// `count` programs, of each of the tasks in turn, with rows of so many columns,
// at least kDataflowColumns, and as many dataflow blocks as real ones have, as
// wide as theirs. Rows and blocks both tell the statement that computes, so
// that a network may learn from either.
inline constexpr int kSyntheticColumns = 24;
SyntheticPrograms MakeSyntheticRankings(int count, uint64_t seed, int tasks = 3,
                                        int columns = kSyntheticColumns);

// Of a network that learns from such programs, quickly and with one thread.
NetworkModelOptions SyntheticOptions(NetworkKind kind,
                                     const FeatureRows& programs);

// Those from `begin` to before `end`.
SyntheticPrograms Slice(const SyntheticPrograms& programs, int begin, int end);

// The share of the pairs of a task that the scores order as the seconds do; a
// program that failed is slower than all others.
double PairwiseAccuracyOf(absl::Span<const double> scores,
                          absl::Span<const ProgramLabel> labels);

}  // namespace pruner

#endif  // PRUNER_PACM_SYNTHETIC_RANKINGS_H_
