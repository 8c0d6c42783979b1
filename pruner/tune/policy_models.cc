#include "pruner/tune/policy_models.h"

#include <memory>

#include "absl/memory/memory.h"
#include "absl/status/statusor.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/boosted_trees.h"
#include "pruner/draft/make_draft_model.h"
#include "pruner/features/columns.h"

namespace pruner {

absl::StatusOr<std::unique_ptr<PolicyModels>> PolicyModels::For(
    const PolicyEntry& policy, const TargetSpec& target) {
  std::unique_ptr<PolicyModels> models = absl::WrapUnique(new PolicyModels);
  if (policy.needs_draft_model) models->draft_ = MakeDraftModel(target);
  if (policy.needs_cost_model) {
    ASSIGN_OR_RETURN(models->trees_, BoostedTrees::Create(
                                         ColumnSetName(kColumns), FlatTrees()));
    models->learner_.emplace(*models->trees_, kColumns, target);
  }
  return models;
}

void PolicyModels::AddTo(PolicyInputs& inputs) {
  if (draft_ != nullptr) inputs.draft = draft_.get();
  if (!trees_) return;
  inputs.cost = &*trees_;
  inputs.columns = kColumns;
}

}  // namespace pruner
