#include "pruner/tune/learning.h"

#include <memory>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/status/statusor.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/boosted_trees.h"
#include "pruner/features/columns.h"

namespace pruner {
absl::StatusOr<std::unique_ptr<Learning>> Learning::For(
    const PolicyEntry& policy, const TargetSpec& target) {
  if (!policy.needs_cost_model) return nullptr;
  ASSIGN_OR_RETURN(BoostedTrees model,
                   BoostedTrees::Create(ColumnSetName(kColumns), FlatTrees()));
  return absl::WrapUnique(new Learning(std::move(model), target));
}

}  // namespace pruner
