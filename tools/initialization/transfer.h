// What a search can know of a workload from others: AutoTVM's transfer learning
// (docs/algorithms.md C3).
#ifndef TOOLS_INITIALIZATION_TRANSFER_H_
#define TOOLS_INITIALIZATION_TRANSFER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/search/annealing_search.h"
#include "tools/initialization/study_space.h"

namespace pruner {

// Trials of searches that began at random: those that a user has in a log.
struct TransferLog {
  // By workload, as they were measured.
  std::vector<std::vector<int64_t>> points = {};

  // Of all workloads but one: how many there are, and how many of them ran.
  int64_t NumOthers(size_t workload) const;
  int64_t NumValidOthers(absl::Span<const std::unique_ptr<StudySpace>> spaces,
                         size_t workload) const;
};

// `samples` of each workload.
absl::StatusOr<TransferLog> MakeTransferLog(
    absl::Span<const std::unique_ptr<StudySpace>> spaces, int samples,
    uint64_t seed);

// Of trees that learned from all workloads but this one, each relative to the
// fastest of its workload. The space must outlive it.
absl::StatusOr<AnnealingSearch::BaseScores> LearnFromOthers(
    absl::Span<const std::unique_ptr<StudySpace>> spaces, size_t workload,
    const TransferLog& log);

}  // namespace pruner

#endif  // TOOLS_INITIALIZATION_TRANSFER_H_
