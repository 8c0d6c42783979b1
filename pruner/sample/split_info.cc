#include "pruner/sample/split_info.h"

#include <map>
#include <set>
#include <variant>

#include "pruner/base/status_macros.h"
#include "pruner/schedule/replay.h"

namespace pruner {

absl::StatusOr<std::vector<SplitInfo>> FindSplits(const ComputeDag& dag,
                                                  const Schedule& schedule) {
  RETURN_IF_ERROR(ReplayStructure(dag, schedule).status());
  std::vector<SplitInfo> splits;
  std::set<int> followed;  // steps
  LoopState state = NaiveState(dag);
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const int step = static_cast<int>(i);
    if (const auto* split = std::get_if<SplitStep>(&schedule.steps[i])) {
      const LoopPart& part =
          state.stages[split->stage].iterators[split->iterator].parts[0];
      const std::vector<Axis>& axes = state.dag->stage(split->stage).axes;
      splits.push_back({.step = step,
                        .stage = split->stage,
                        .axis = part.axis,
                        .extent = part.extent,
                        .kind = axes[part.axis].kind});
    }
    const auto* follow = std::get_if<FollowSplitStep>(&schedule.steps[i]);
    if (follow != nullptr && follow->tail == Tail::kShiftInwards)
      followed.insert(follow->source_step);
    RETURN_IF_ERROR(ApplyStep(schedule, step, state));
  }
  std::map<int, SplitInfo*> innermost;  // by stage
  for (SplitInfo& split : splits) {
    split.may_overlap =
        followed.contains(split.step) &&
        state.stages[split.stage].location == ComputeLocation::kAt;
    if (split.kind == AxisKind::kSpatial) innermost[split.stage] = &split;
  }
  for (auto& [stage, split] : innermost) split->is_vector_axis = true;
  return splits;
}

}  // namespace pruner
