// The models that a policy needs for a run, and who trains them.
#ifndef PRUNER_TUNE_POLICY_MODELS_H_
#define PRUNER_TUNE_POLICY_MODELS_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/cost/cost_model.h"
#include "pruner/draft/draft_model.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/policy_table.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/cost_models.h"
#include "pruner/tune/learner.h"

namespace pruner {

// CostModelOptions::name: `given`, unless it is empty; then the policy's usual
// one, which may be none.
std::string CostModelNameFor(const PolicyEntry& policy,
                             const std::string& given);

// What can be told before models are made. Errors: CheckCostModel's; a policy
// that cannot do without a learned model is to have none.
absl::Status CheckModelsOf(const PolicyEntry& policy,
                           const CostModelOptions& options);

// Of those that the policy's entry names: the target's analytic draft model;
// a learned model, which the searches of all tasks share.
class PolicyModels {
 public:
  // The target must outlive them. Errors: CheckModelsOf's, MakeCostModel's.
  static absl::StatusOr<std::unique_ptr<PolicyModels>> For(
      const PolicyEntry& policy, const TargetSpec& target,
      const CostModelOptions& options = {});

  // Null if nothing is learned.
  Learner* learner() { return learner_ ? &*learner_ : nullptr; }
  // What was asked for, and for kAutoPretrained what it is on this target.
  const CostModelOptions& cost_model() const { return cost_model_; }
  // Adds the models to what a policy is made of.
  void AddTo(PolicyInputs& inputs);

 private:
  explicit PolicyModels(CostModelOptions cost_model)
      : cost_model_(std::move(cost_model)) {}

  const CostModelOptions cost_model_;
  std::unique_ptr<const DraftModel> draft_;
  std::unique_ptr<CostModel> cost_;
  std::optional<Learner> learner_;  // of cost_
};

}  // namespace pruner

#endif  // PRUNER_TUNE_POLICY_MODELS_H_
