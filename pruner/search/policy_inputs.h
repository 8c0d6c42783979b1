// What search policies are made of.
#ifndef PRUNER_SEARCH_POLICY_INPUTS_H_
#define PRUNER_SEARCH_POLICY_INPUTS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/cost/cost_model.h"
#include "pruner/draft/draft_model.h"
#include "pruner/features/columns.h"
#include "pruner/sample/sampling.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/search/initialization.h"
#include "pruner/search/search_policy.h"
#include "pruner/sketch/sketch_rule.h"

namespace pruner {

// All of it must outlive the policy.
struct PolicyInputs {
  SketchContext context;
  // The rules that span the space of schedules, instead of the target's
  // BuiltInRules, unless there are none; see user_rules.h.
  absl::Span<const SketchRule* const> rules = {};
  Sampling sampling = Sampling::kHardware;
  const DraftModel* draft = nullptr;  // nullptr: none
  // What it was trained on are these columns. Whoever owns it trains it.
  CostModel* cost = nullptr;  // nullptr: none
  ColumnSet columns = ColumnSet::kAll;
  // Of what does not depend on what was measured.
  uint64_t seed = 1;
  Initialization initialization = {};
  // Proposed right after the default schedule, in this order: what somebody
  // would choose without timing anything.
  std::vector<Proposal> first = {};
};

// The space that the policy searches. Error: a rule whose steps do not fit.
absl::StatusOr<std::unique_ptr<ScheduleSpace>> MakeSpace(
    const PolicyInputs& inputs);

// The default schedule and inputs.first: what every policy proposes before
// anything else. Error: as of DefaultSchedule.
absl::StatusOr<std::vector<Proposal>> FirstProposals(
    const PolicyInputs& inputs);

}  // namespace pruner

#endif  // PRUNER_SEARCH_POLICY_INPUTS_H_
