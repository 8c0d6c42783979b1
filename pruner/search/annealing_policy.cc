#include "pruner/search/annealing_policy.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/memory/memory.h"
#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/measure/measure_result.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/search/annealing_search.h"
#include "pruner/search/initialization.h"
#include "pruner/search/measured_candidates.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/search_policy.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

absl::StatusOr<std::unique_ptr<AnnealingPolicy>> AnnealingPolicy::Create(
    const PolicyInputs& inputs, const AnnealingSearchOptions& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<ScheduleSpace> space, MakeSpace(inputs));
  ASSIGN_OR_RETURN(std::vector<Proposal> first, FirstProposals(inputs));
  return absl::WrapUnique(
      new AnnealingPolicy(inputs, std::move(space), std::move(first), options));
}

AnnealingPolicy::AnnealingPolicy(const PolicyInputs& inputs,
                                 std::unique_ptr<ScheduleSpace> space,
                                 std::vector<Proposal> first,
                                 const AnnealingSearchOptions& options)
    : space_(std::move(space)),
      first_(std::move(first)),
      measured_(*space_, /*best=*/1),
      search_(*space_, options),
      first_batch_(inputs.initialization, *space_, options.batch, inputs.seed) {
}

absl::StatusOr<std::vector<Proposal>> AnnealingPolicy::Propose(int n,
                                                               Rng& rng) {
  CHECK_GT(n, 0);
  ASSIGN_OR_RETURN(const bool has_looked, first_batch_.Prepare());
  if (has_looked)
    search_.BeginWith(first_batch_.known(), first_batch_.candidates());
  std::vector<Proposal> proposals;
  measured_.ProposeUnknown(first_, static_cast<size_t>(n), proposals);
  search_.Restart(n);
  CandidateSet pool;
  while (proposals.size() < static_cast<size_t>(n)) {
    ASSIGN_OR_RETURN(const std::vector<Candidate> next,
                     search_.Next(
                         n - static_cast<int>(proposals.size()),
                         [this](const Candidate& candidate) {
                           return !measured_.IsKnown(candidate);
                         },
                         rng));
    if (next.empty()) break;
    for (const Candidate& candidate : next) {
      // Another one may make the same schedule.
      ASSIGN_OR_RETURN(std::optional<Proposal> proposal,
                       measured_.ProposeNew(candidate, pool));
      if (!proposal) continue;
      measured_.MarkProposed(candidate, proposal->schedule);
      proposals.push_back(*std::move(proposal));
    }
  }
  return proposals;
}

void AnnealingPolicy::Observe(const Proposal& proposal,
                              const MeasureResult& result) {
  const std::optional<Candidate> candidate =
      measured_.Observe(proposal, result);
  first_batch_.Observe(candidate, result);
  if (candidate)
    search_.Observe(*candidate, result.ok() ? 1 / Cost(result) : 0);
}

}  // namespace pruner
