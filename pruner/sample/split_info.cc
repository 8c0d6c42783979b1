#include "pruner/sample/split_info.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "absl/log/check.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/replay.h"

namespace pruner {
namespace {

// What the step is about to split; nullopt if it splits nothing.
std::optional<SplitInfo> SplitOf(const TransformStep& step,
                                 const LoopState& state) {
  SplitInfo info;
  if (const auto* split = std::get_if<SplitStep>(&step)) {
    const Iterator& iterator =
        state.stages[split->stage].iterators[split->iterator];
    info.axis = iterator.parts[0].axis;
    info.extent = iterator.extent;
  } else if (const auto* rfactor = std::get_if<RfactorStep>(&step)) {
    info.axis = rfactor->axis;
    info.extent = state.dag->stage(rfactor->stage).axes[info.axis].extent;
  } else {
    return std::nullopt;
  }
  info.kind = state.dag->stage(StageOf(step)).axes[info.axis].kind;
  return info;
}

// What the loops that a split makes are for, as the sketch says in the end;
// `is_first` if it is the stage's first one.
SplitRole RoleOf(const TransformStep& step, bool is_first,
                 const StageState& stage) {
  const auto* split = std::get_if<SplitStep>(&step);
  if (split == nullptr || split->lengths.size() != 1) return SplitRole::kTile;
  if (stage.storage == Storage::kShared) return SplitRole::kVector;
  if (stage.location != ComputeLocation::kRoot ||
      !stage.HasLoop(Annotation::kThread)) {
    return SplitRole::kTile;
  }
  if (is_first && stage.HasLoop(Annotation::kVectorize))
    return SplitRole::kVector;
  return split->iterator == 0 ? SplitRole::kThreads : SplitRole::kTile;
}

bool HasHole(const TransformStep& step) {
  if (const auto* rfactor = std::get_if<RfactorStep>(&step))
    return rfactor->factor == 0;
  const auto* split = std::get_if<SplitStep>(&step);
  return split != nullptr &&
         std::find(split->lengths.begin(), split->lengths.end(), 0) !=
             split->lengths.end();
}

bool FillsStep(const TransformStep& of_sketch, const TransformStep& step) {
  if (!HasHole(of_sketch) || step.index() != of_sketch.index())
    return step == of_sketch;
  if (const auto* a = std::get_if<RfactorStep>(&step)) {
    const auto& b = std::get<RfactorStep>(of_sketch);
    return a->stage == b.stage && a->axis == b.axis && a->part == b.part;
  }
  const auto& a = std::get<SplitStep>(step);
  const auto& b = std::get<SplitStep>(of_sketch);
  return a.stage == b.stage && a.iterator == b.iterator &&
         a.lengths.size() == b.lengths.size() && a.tail == b.tail;
}

}  // namespace

absl::StatusOr<std::vector<SplitInfo>> FindSplits(const ComputeDag& dag,
                                                  const Schedule& sketch) {
  RETURN_IF_ERROR(ReplayStructure(dag, sketch).status());
  std::vector<SplitInfo> splits;
  const std::vector<int> stages = FinalStages(sketch);
  std::set<int> followed;  // steps
  LoopState state = NaiveState(dag);
  for (size_t i = 0; i < sketch.steps.size(); ++i) {
    const int step = static_cast<int>(i);
    if (std::optional<SplitInfo> split = SplitOf(sketch.steps[i], state)) {
      split->step = step;
      split->stage = stages[i];
      splits.push_back(*split);
    }
    const auto* follow = std::get_if<FollowSplitStep>(&sketch.steps[i]);
    if (follow != nullptr && follow->tail == Tail::kShiftInwards)
      followed.insert(follow->source_step);
    RETURN_IF_ERROR(ApplyStep(sketch, step, state));
  }
  std::map<int, SplitInfo*> innermost;  // by stage
  std::set<int> seen;                   // stages
  for (SplitInfo& split : splits) {
    const bool is_first = seen.insert(split.stage).second;
    split.role =
        RoleOf(sketch.steps[split.step], is_first, state.stages[split.stage]);
    // It may not be known yet how many vectors there are to share out.
    if (split.role == SplitRole::kThreads && split.extent == 0)
      split.extent = state.dag->stage(split.stage).SpatialSize();
    split.may_overlap =
        followed.contains(split.step) &&
        state.stages[split.stage].location == ComputeLocation::kAt;
    if (split.kind == AxisKind::kSpatial) innermost[split.stage] = &split;
  }
  for (auto& [stage, split] : innermost) split->is_vector_axis = true;
  std::erase_if(splits, [&](const SplitInfo& split) {
    return !HasHole(sketch.steps[split.step]);
  });
  return splits;
}

std::vector<int64_t> LengthsOf(const TransformStep& step) {
  if (const auto* rfactor = std::get_if<RfactorStep>(&step))
    return {rfactor->factor};
  return std::get<SplitStep>(step).lengths;
}

void SetLengths(std::vector<int64_t> lengths, TransformStep& step) {
  if (auto* rfactor = std::get_if<RfactorStep>(&step)) {
    CHECK_EQ(lengths.size(), 1u);
    rfactor->factor = lengths[0];
  } else {
    std::get<SplitStep>(step).lengths = std::move(lengths);
  }
}

bool Fills(const Schedule& schedule, const Schedule& sketch) {
  return sketch.steps.size() <= schedule.steps.size() &&
         std::equal(sketch.steps.begin(), sketch.steps.end(),
                    schedule.steps.begin(), FillsStep);
}

}  // namespace pruner
