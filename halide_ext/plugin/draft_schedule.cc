#include "halide_ext/plugin/draft_schedule.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "halide_ext/plugin/schedule_check.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/draft/draft_model.h"
#include "pruner/draft/make_draft_model.h"
#include "pruner/search/best_unmeasured.h"
#include "pruner/search/policy_inputs.h"

namespace pruner {
namespace {

// Of which one should be right for any size.
constexpr size_t kChecked = 6;

}  // namespace

absl::StatusOr<Proposal> DraftSchedule(const TuningTask& task,
                                       const TargetSpec& target,
                                       uint64_t seed) {
  const std::unique_ptr<const DraftModel> model = MakeDraftModel(target);
  const PolicyInputs inputs = {
      .context = ContextOf(task, target), .draft = model.get(), .seed = seed};
  Rng rng(seed);
  ASSIGN_OR_RETURN(const std::vector<ScoredProposal> best,
                   BestUnmeasured(inputs, kChecked, rng));
  std::vector<Proposal> finalists;
  for (const ScoredProposal& scored : best)
    finalists.push_back(scored.proposal);
  ASSIGN_OR_RETURN(const std::vector<Proposal> simple, FirstProposals(inputs));
  finalists.insert(finalists.end(), simple.begin(), simple.end());
  absl::Status refused;
  for (const Proposal& finalist : finalists) {
    absl::StatusOr<Schedule> schedule =
        CheckSchedule(task.workload, finalist.schedule, target);
    refused = schedule.status();
    if (absl::IsFailedPrecondition(refused)) continue;
    RETURN_IF_ERROR(refused);
    if (*schedule == finalist.schedule) return finalist;
    return Proposal{.schedule = *std::move(schedule)};
  }
  return refused;
}

}  // namespace pruner
