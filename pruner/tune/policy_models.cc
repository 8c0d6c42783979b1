#include "pruner/tune/policy_models.h"

#include <memory>
#include <string>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/status_macros.h"
#include "pruner/draft/make_draft_model.h"
#include "pruner/tune/cost_models.h"
#include "pruner/tune/learner.h"

namespace pruner {
namespace {

LearnerOptions LearnerOptionsOf(const CostModelOptions& options) {
  if (options.training != kPapersTraining) return {};
  return {.first_training = 1, .growth = 0};  // after each round
}

}  // namespace

std::string CostModelNameFor(const PolicyEntry& policy,
                             const std::string& given) {
  if (!given.empty()) return given;
  return std::string(policy.usual_cost_model.empty() ? kNoCostModel
                                                     : policy.usual_cost_model);
}

absl::Status CheckModelsOf(const PolicyEntry& policy,
                           const CostModelOptions& options) {
  if (options.name == kNoCostModel && policy.needs_cost_model &&
      !policy.needs_draft_model) {
    return absl::InvalidArgumentError(
        absl::StrCat("--policy=", policy.name,
                     " needs a learned model, so --cost_model cannot be none"));
  }
  return CheckCostModel(options);
}

absl::StatusOr<std::unique_ptr<PolicyModels>> PolicyModels::For(
    const PolicyEntry& policy, const TargetSpec& target,
    const CostModelOptions& options) {
  RETURN_IF_ERROR(CheckModelsOf(policy, options));
  auto models =
      absl::WrapUnique(new PolicyModels(ResolvePretrained(target, options)));
  if (policy.needs_draft_model) models->draft_ = MakeDraftModel(target);
  if (!policy.needs_cost_model) return models;
  ASSIGN_OR_RETURN(models->cost_, MakeCostModel(models->cost_model_));
  if (models->cost_ != nullptr)
    models->learner_.emplace(*models->cost_, ColumnsOf(options), target,
                             LearnerOptionsOf(options));
  return models;
}

void PolicyModels::AddTo(PolicyInputs& inputs) {
  if (draft_ != nullptr) inputs.draft = draft_.get();
  if (cost_ == nullptr) return;
  inputs.cost = cost_.get();
  inputs.columns = ColumnsOf(cost_model_);
}

}  // namespace pruner
