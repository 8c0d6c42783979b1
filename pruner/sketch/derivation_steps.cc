#include "pruner/sketch/derivation_steps.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/schedule/replay.h"

namespace pruner {
namespace {

// Stages from number `inserted` on move up by one.
void MoveUp(int inserted, Derivation& derivation) {
  std::map<int, std::vector<int>> moved;
  for (auto& [stage, splits] : derivation.spatial_splits)
    moved[stage + (stage >= inserted)] = std::move(splits);
  derivation.spatial_splits = std::move(moved);
  for (Decision& decision : derivation.decisions)
    decision.stage += decision.stage >= inserted;
}

bool SaysLocation(const TransformStep& step) {
  return std::holds_alternative<ComputeAtStep>(step) ||
         std::holds_alternative<ComputeInlineStep>(step) ||
         std::holds_alternative<ComputeRootStep>(step);
}

// Appends a split with holes and decides them; `domain` says what is known but
// by the split.
absl::Status AppendOpenSplit(DecisionKind kind, SplitStep step,
                             LengthsDomain domain, Derivation& derivation) {
  const int number = static_cast<int>(derivation.schedule.steps.size());
  const int stage = step.stage, iterator = step.iterator;
  const int count = static_cast<int>(step.lengths.size());
  // Applied first: what does not fit is an error that names the step.
  Iterator loop;
  const bool exists =
      stage >= 0 && stage < derivation.dag().size() && iterator >= 0 &&
      iterator <
          static_cast<int>(derivation.state.stages[stage].iterators.size());
  if (exists) loop = derivation.state.stages[stage].iterators[iterator];
  RETURN_IF_ERROR(Append(std::move(step), derivation));
  const Stage& s = derivation.dag().stage(stage);
  const int axis = loop.parts[0].axis;
  // It may not be known yet how many vectors there are to share out.
  domain.extent = loop.extent > 0 ? loop.extent : s.SpatialSize();
  domain.axis_kind = s.axes[axis].kind;
  domain.bindings.resize(count, Binding::kSerial);
  AddDecision({.kind = kind,
               .stage = stage,
               .step = number,
               .axis = axis,
               .count = count,
               .domain = std::move(domain)},
              derivation);
  return absl::OkStatus();
}

}  // namespace

absl::Status Append(TransformStep step, Derivation& derivation) {
  if (const int inserted = InsertedStage(step); inserted >= 0)
    MoveUp(inserted, derivation);
  if (SaysLocation(step)) KeepAtRoot(StageOf(step), derivation);
  derivation.schedule.steps.push_back(std::move(step));
  return ApplyStep(derivation.schedule,
                   static_cast<int>(derivation.schedule.steps.size()) - 1,
                   derivation.state);
}

absl::Status AppendTile(const SketchContext& context, SplitStep step,
                        TileUse use, Derivation& derivation) {
  std::fill(step.lengths.begin(), step.lengths.end(), 0);
  const bool may_overlap = step.tail == Tail::kShiftInwards;
  return AppendOpenSplit(
      DecisionKind::kTile, std::move(step),
      {.is_vector_axis = use.is_vector_axis,
       .is_at_root = use.is_at_root,
       .may_overlap = may_overlap,
       .bindings = std::move(use.bindings),
       .max_innermost =
           use.is_at_root ? 0 : context.target.limits.innermost_split_factor},
      derivation);
}

absl::Status AppendVectors(int stage, int iterator, Derivation& derivation) {
  return AppendOpenSplit(DecisionKind::kVector,
                         {.stage = stage, .iterator = iterator, .lengths = {0}},
                         {}, derivation);
}

absl::Status AppendThreads(int stage, int iterator, Derivation& derivation) {
  return AppendOpenSplit(DecisionKind::kThreads,
                         {.stage = stage, .iterator = iterator, .lengths = {0}},
                         {.bindings = {Binding::kThread}}, derivation);
}

absl::Status AppendFactor(RfactorStep step, int64_t max_factor,
                          Derivation& derivation) {
  step.factor = 0;
  const int number = static_cast<int>(derivation.schedule.steps.size());
  const int stage = step.stage, axis = step.axis;
  const bool exists =
      stage >= 0 && stage < derivation.dag().size() && axis >= 0 &&
      axis < static_cast<int>(derivation.dag().stage(stage).axes.size());
  const int64_t extent =
      exists ? derivation.dag().stage(stage).axes[axis].extent : 0;
  RETURN_IF_ERROR(Append(step, derivation));
  AddDecision({.kind = DecisionKind::kFactor,
               .stage = stage,
               .step = number,
               .axis = axis,
               .domain = LengthsDomain{.extent = extent,
                                       .axis_kind = AxisKind::kReduction,
                                       .bindings = {Binding::kSerial},
                                       .max_innermost = max_factor}},
              derivation);
  return absl::OkStatus();
}

void AddDecision(Decision decision, Derivation& derivation) {
  derivation.decisions.push_back(std::move(decision));
}

void LeaveLocationOpen(int stage, Derivation& derivation) {
  const Stage& s = derivation.dag().stage(stage);
  if (!s.IsPlaceable() || HasDataReuse(derivation.dag(), stage)) return;
  AddDecision({.kind = DecisionKind::kLocation, .stage = stage}, derivation);
}

void KeepAtRoot(int stage, Derivation& derivation) {
  std::erase_if(derivation.decisions, [&](const Decision& decision) {
    return decision.kind == DecisionKind::kLocation && decision.stage == stage;
  });
}

std::vector<int> LongAxes(const Stage& stage, int64_t min_extent) {
  std::vector<int> axes;
  for (int axis = 0; axis < stage.SpatialRank() && axes.size() < 2; ++axis) {
    if (stage.axes[axis].extent >= min_extent) axes.push_back(axis);
  }
  return axes;
}

std::vector<int> FirstAxes(const Derivation& from) {
  if (!from.separate_first) return {};
  return SeparateAxes(from.dag(), from.stage);
}

absl::Status Annotate(int stage, int iterator, Annotation annotation,
                      Derivation& derivation) {
  return Append(
      AnnotateStep{
          .stage = stage, .iterator = iterator, .annotation = annotation},
      derivation);
}

bool IsUntouched(const Derivation& derivation, int stage) {
  const StageState& state = derivation.state.stages[stage];
  return state.iterators.size() == derivation.dag().stage(stage).axes.size() &&
         state.location == ComputeLocation::kRoot;
}

absl::Status UnrollAroundVectors(int stage, const std::vector<int>& axes,
                                 int64_t lanes, Derivation& derivation) {
  const auto innermost =
      static_cast<int>(derivation.dag().stage(stage).axes.size()) - 1;
  std::vector<int64_t> order;
  for (int axis = 0; axis <= innermost; ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end())
      order.push_back(axis);
  }
  if (lanes > 0) {
    RETURN_IF_ERROR(Append(
        SplitStep{.stage = stage, .iterator = innermost, .lengths = {lanes}},
        derivation));
    order.push_back(innermost + 1);
  }
  const auto outer = static_cast<int>(order.size()) - 1;
  order.insert(order.end() - 1, axes.begin(), axes.end());
  RETURN_IF_ERROR(Append(ReorderStep{.stage = stage, .order = std::move(order)},
                         derivation));
  for (int i = 0; i < static_cast<int>(axes.size()); ++i) {
    RETURN_IF_ERROR(
        Annotate(stage, outer + i, Annotation::kUnroll, derivation));
  }
  return absl::OkStatus();
}

absl::Status FuseLoops(int stage, int first, int count,
                       Derivation& derivation) {
  if (count <= 1) return absl::OkStatus();
  return Append(FuseStep{.stage = stage, .iterator = first, .count = count},
                derivation);
}

absl::Status CutIntoBlocks(int stage, int count, Derivation& derivation) {
  RETURN_IF_ERROR(FuseLoops(stage, 0, count, derivation));
  RETURN_IF_ERROR(AppendThreads(stage, 0, derivation));
  RETURN_IF_ERROR(Annotate(stage, 0, Annotation::kBlock, derivation));
  return Annotate(stage, 1, Annotation::kThread, derivation);
}

std::optional<int> ConsumerToFuse(const Derivation& derivation, int stage) {
  std::optional<int> consumer = FusibleConsumer(derivation.dag(), stage);
  while (consumer && derivation.state.stages[*consumer].location ==
                         ComputeLocation::kInlined) {
    consumer = FusibleConsumer(derivation.dag(), *consumer);
  }
  // Both with a reduction: the tiles of one are not those of the other.
  if (consumer && derivation.dag().stage(stage).HasReduction() &&
      derivation.dag().stage(*consumer).HasReduction()) {
    return std::nullopt;
  }
  return consumer;
}

}  // namespace pruner
