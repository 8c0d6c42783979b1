// The models that a policy needs for a run, and who trains them.
#ifndef PRUNER_TUNE_POLICY_MODELS_H_
#define PRUNER_TUNE_POLICY_MODELS_H_

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "pruner/cost/boosted_trees.h"
#include "pruner/draft/draft_model.h"
#include "pruner/features/columns.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/policy_table.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/learner.h"

namespace pruner {

// Of those that the policy's entry names: the target's analytic draft model;
// boosted trees on all columns, which the searches of all tasks share.
class PolicyModels {
 public:
  // The target must outlive them. Error: the library cannot make trees.
  static absl::StatusOr<std::unique_ptr<PolicyModels>> For(
      const PolicyEntry& policy, const TargetSpec& target);

  // Null if nothing is learned.
  Learner* learner() { return learner_ ? &*learner_ : nullptr; }
  // Adds the models to what a policy is made of.
  void AddTo(PolicyInputs& inputs);

 private:
  static constexpr ColumnSet kColumns = ColumnSet::kAll;

  PolicyModels() = default;

  std::unique_ptr<const DraftModel> draft_;
  std::optional<BoostedTrees> trees_;
  std::optional<Learner> learner_;  // of trees_
};

}  // namespace pruner

#endif  // PRUNER_TUNE_POLICY_MODELS_H_
