#include "pruner/tune/learning.h"

#include <memory>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/status/statusor.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/boosted_trees.h"
#include "pruner/features/columns.h"

namespace pruner {
namespace {

// Flatter and fewer trees than Ansor's, which rank as well what was not seen
// (docs/algorithms.md A8) and are trained and asked in a fraction of the time.
constexpr BoostedTreesOptions kTrees = {.max_depth = 6, .max_rounds = 100};

}  // namespace

absl::StatusOr<std::unique_ptr<Learning>> Learning::For(
    const PolicyEntry& policy, const TargetSpec& target) {
  if (!policy.needs_cost_model) return nullptr;
  ASSIGN_OR_RETURN(BoostedTrees model,
                   BoostedTrees::Create(ColumnSetName(kColumns), kTrees));
  return absl::WrapUnique(new Learning(std::move(model), target));
}

}  // namespace pruner
