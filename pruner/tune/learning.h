// The learned model of a run, for policies that need one, and who trains it.
#ifndef PRUNER_TUNE_LEARNING_H_
#define PRUNER_TUNE_LEARNING_H_

#include <memory>

#include "absl/status/statusor.h"
#include "pruner/cost/boosted_trees.h"
#include "pruner/features/columns.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/policy_table.h"
#include "pruner/target/target_spec.h"
#include "pruner/tune/learner.h"

namespace pruner {

// Boosted trees on all columns, which the searches of all tasks share.
class Learning {
 public:
  // Null for a policy that needs no model. The target must outlive it. Error:
  // the library cannot make one.
  static absl::StatusOr<std::unique_ptr<Learning>> For(
      const PolicyEntry& policy, const TargetSpec& target);

  Learner& learner() { return learner_; }
  // Adds the model to what a policy is made of.
  void AddTo(PolicyInputs& inputs) {
    inputs.cost = &model_;
    inputs.columns = kColumns;
  }

 private:
  static constexpr ColumnSet kColumns = ColumnSet::kAll;

  Learning(BoostedTrees model, const TargetSpec& target)
      : model_(std::move(model)), learner_(model_, kColumns, target) {}

  BoostedTrees model_;
  Learner learner_;
};

}  // namespace pruner

#endif  // PRUNER_TUNE_LEARNING_H_
