#include "pruner/schedule/step_check.h"

#include <cstddef>
#include <iterator>

#include "pruner/base/status_macros.h"

namespace pruner {

absl::Status TooLong() {
  return Misfit("a loop of more than ", kMaxIterations, " iterations");
}

absl::Status CheckStage(const LoopState& state, int stage) {
  if (stage < 0 || stage >= state.dag->size() ||
      state.dag->stage(stage).kind != StageKind::kCompute) {
    return Misfit("there is no compute stage ", stage);
  }
  return absl::OkStatus();
}

absl::Status CheckLoops(const LoopState& state, int stage) {
  RETURN_IF_ERROR(CheckStage(state, stage));
  if (!state.dag->stage(stage).opaque) return absl::OkStatus();
  return Misfit("stage '", state.dag->stage(stage).name,
                "' is computed as written");
}

absl::Status CheckIterator(const LoopState& state, int stage, int iterator) {
  RETURN_IF_ERROR(CheckLoops(state, stage));
  if (iterator < 0 || iterator >= std::ssize(state.stages[stage].iterators)) {
    return Misfit("stage ", stage, " has no loop ", iterator);
  }
  return absl::OkStatus();
}

StageState NaiveStage(const Stage& stage) {
  StageState state;
  for (size_t a = 0; a < stage.axes.size(); ++a) {
    const Axis& axis = stage.axes[a];
    Iterator& iterator = state.iterators.emplace_back();
    iterator.parts.push_back(
        {.axis = static_cast<int>(a), .extent = axis.extent});
    iterator.extent = axis.extent;
    iterator.kind = axis.kind;
    state.axis_extents.push_back(axis.extent);
  }
  return state;
}

absl::Status CheckUntouched(const LoopState& state, int stage) {
  RETURN_IF_ERROR(CheckStage(state, stage));
  if (state.stages[stage] != NaiveStage(state.dag->stage(stage)))
    return Misfit("stage ", stage, " has been transformed already");
  for (const StageState& s : state.stages) {
    if (s.location == ComputeLocation::kAt && s.at_stage == stage)
      return Misfit("a stage is computed in a loop of stage ", stage);
  }
  return absl::OkStatus();
}

absl::Status CheckPermutation(const std::vector<int64_t>& order) {
  std::vector<bool> seen(order.size());
  for (int64_t old : order) {
    if (old < 0 || old >= std::ssize(order) || seen[old])
      return Misfit("order is not a permutation");
    seen[old] = true;
  }
  return absl::OkStatus();
}

absl::Status CheckReductionsStayInOrder(const LoopState& state, int stage,
                                        const std::vector<int64_t>& order) {
  if (!state.dag->stage(stage).ordered) return absl::OkStatus();
  int64_t before = -1;
  for (int64_t loop : order) {
    const Iterator& iterator = state.stages[stage].iterators[loop];
    if (iterator.kind != AxisKind::kReduction) continue;
    if (loop < before)
      return Misfit("the order of the reduction's loops may matter");
    before = loop;
  }
  return absl::OkStatus();
}

}  // namespace pruner
