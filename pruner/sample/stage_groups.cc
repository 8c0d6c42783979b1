#include "pruner/sample/stage_groups.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <variant>

namespace pruner {
namespace {

void Join(std::vector<int>& groups, int a, int b) {
  const auto [first, other] = std::minmax(groups[a], groups[b]);
  std::replace(groups.begin(), groups.end(), int{other}, int{first});
}

}  // namespace

std::vector<int> StageGroups(const Schedule& sketch, const LoopState& state) {
  std::vector<int> groups(state.stages.size());
  std::iota(groups.begin(), groups.end(), 0);
  const std::vector<int> stages = FinalStages(sketch);
  for (size_t i = 0; i < stages.size(); ++i) {
    if (const auto* step = std::get_if<FollowSplitStep>(&sketch.steps[i])) {
      Join(groups, stages[i], stages[step->source_step]);
    } else if (const auto* fused =
                   std::get_if<FollowFusedSplitStep>(&sketch.steps[i])) {
      for (const int64_t source : fused->source_steps)
        Join(groups, stages[i], stages[source]);
    }
  }
  for (size_t stage = 0; stage < groups.size(); ++stage) {
    const StageState& s = state.stages[stage];
    if (s.location == ComputeLocation::kAt)
      Join(groups, static_cast<int>(stage), s.at_stage);
  }
  return groups;
}

}  // namespace pruner
