#include "pruner/search/policy_inputs.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/base/status_macros.h"
#include "pruner/sample/default_schedule.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/search/search_policy.h"

namespace pruner {

absl::StatusOr<std::unique_ptr<ScheduleSpace>> MakeSpace(
    const PolicyInputs& inputs) {
  return ScheduleSpace::Create(
      inputs.context, {.sampling = inputs.sampling, .rules = inputs.rules});
}

absl::StatusOr<std::vector<Proposal>> FirstProposals(
    const PolicyInputs& inputs) {
  ASSIGN_OR_RETURN(Schedule schedule, DefaultSchedule(inputs.context));
  std::vector<Proposal> proposals = {{.schedule = std::move(schedule)}};
  proposals.insert(proposals.end(), inputs.first.begin(), inputs.first.end());
  return proposals;
}

}  // namespace pruner
