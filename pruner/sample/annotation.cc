#include "pruner/sample/annotation.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/program/vector_length.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/decision.h"

namespace pruner {
namespace {

// So many iterations of the parallel loop for each core are enough to balance
// them.
constexpr int64_t kParallelPerCore = 16;

absl::Status Append(TransformStep step, Schedule& schedule, LoopState& state) {
  schedule.steps.push_back(std::move(step));
  return ApplyStep(schedule, static_cast<int>(schedule.steps.size()) - 1,
                   state);
}

bool IsComputed(const LoopState& state, int stage) {
  const Stage& s = state.dag->stage(stage);
  return s.kind == StageKind::kCompute && !s.opaque &&
         state.stages[stage].location != ComputeLocation::kInlined;
}

bool IsOccupied(const LoopState& state, int stage, int iterator) {
  return !AttachedAt(state, stage, iterator).empty();
}

// Along which the stage is stored.
int VectorAxis(const LoopState& state, int stage) {
  const std::vector<int64_t>& order = state.stages[stage].storage_order;
  return order.empty() ? state.dag->stage(stage).SpatialRank() - 1
                       : static_cast<int>(order.back());
}

// Whether the loop is what is left of the stage's innermost spatial axis for
// vectors: the inner part of a split of it.
bool IsVectorLoop(const LoopState& state, int stage, const Iterator& iterator) {
  return iterator.parts.size() == 1 && iterator.parts[0].path != 0 &&
         iterator.parts[0].stride == 1 &&
         iterator.parts[0].axis == VectorAxis(state, stage);
}

// How many outermost loops to fuse for the parallel one.
int CountParallel(const LoopState& state, int stage, int64_t enough) {
  const std::vector<Iterator>& iterators = state.stages[stage].iterators;
  int64_t iterations = 1;
  int count = 0;
  while (count < static_cast<int>(iterators.size()) && iterations < enough) {
    const Iterator& iterator = iterators[count];
    if (iterator.kind != AxisKind::kSpatial ||
        iterator.annotation != Annotation::kNone ||
        IsVectorLoop(state, stage, iterator)) {
      break;
    }
    iterations *= iterator.extent;
    ++count;
    if (IsOccupied(state, stage, count - 1)) break;
  }
  return count;
}

int64_t Iterations(const StageState& stage, int count) {
  int64_t iterations = 1;
  for (int i = 0; i < count; ++i) iterations *= stage.iterators[i].extent;
  return iterations;
}

// Cuts vectors off the innermost spatial loop where it would become part of the
// parallel one, the `count` outermost loops.
absl::Status SaveVectorLoop(const TargetSpec& target, int stage, int count,
                            Schedule& schedule, LoopState& state) {
  if (count == 0 || IsOccupied(state, stage, count - 1))
    return absl::OkStatus();
  const LoopPart& part = state.stages[stage].iterators[count - 1].parts[0];
  const int64_t width = VectorWidth(part.extent, target);
  if (part.axis != VectorAxis(state, stage) || part.path != 0 || width == 1 ||
      part.extent == width) {
    return absl::OkStatus();
  }
  return Append(
      SplitStep{.stage = stage, .iterator = count - 1, .lengths = {width}},
      schedule, state);
}

// Position of the innermost loop of this kind that is longer than 1; -1 if
// none.
int InnermostOf(const StageState& stage, AxisKind kind) {
  for (int i = static_cast<int>(stage.iterators.size()) - 1; i >= 0; --i) {
    if (stage.iterators[i].kind == kind && stage.iterators[i].extent > 1)
      return i;
  }
  return -1;
}

// Moves loop `from` to the innermost position.
absl::Status MoveInnermost(int stage, int from, Schedule& schedule,
                           LoopState& state) {
  std::vector<int64_t> order;
  const int count = static_cast<int>(state.stages[stage].iterators.size());
  for (int i = 0; i < count; ++i) {
    if (i != from) order.push_back(i);
  }
  order.push_back(from);
  return Append(ReorderStep{.stage = stage, .order = std::move(order)},
                schedule, state);
}

}  // namespace

int MaxParallelLoops(const LoopState& state, int stage) {
  return CountParallel(state, stage, std::numeric_limits<int64_t>::max());
}

int ParallelLoops(const TargetSpec& target, const LoopState& state, int stage,
                  int32_t wanted) {
  const bool fits = wanted != kAutomatic &&
                    wanted <= MaxParallelLoops(state, stage) &&
                    Iterations(state.stages[stage], wanted) > 1;
  return fits ? wanted
              : CountParallel(state, stage,
                              kParallelPerCore * target.units.cores);
}

std::vector<int32_t> ParallelChoices(const TargetSpec& target,
                                     const LoopState& state, int stage) {
  const int automatic = ParallelLoops(target, state, stage, kAutomatic);
  const int max = MaxParallelLoops(state, stage);
  std::vector<int32_t> choices;
  if (automatic == 0) choices.push_back(kAutomatic);
  for (int count = 1; count <= max; ++count) {
    if (count == automatic) {
      choices.push_back(kAutomatic);
    } else if (Iterations(state.stages[stage], count) > 1) {
      choices.push_back(count);
    }
  }
  return choices;
}

absl::Status AnnotateParallel(const TargetSpec& target, int stage, int count,
                              Schedule& schedule, LoopState& state) {
  RETURN_IF_ERROR(SaveVectorLoop(target, stage, count, schedule, state));
  if (count == 0) return absl::OkStatus();
  if (count > 1) {
    RETURN_IF_ERROR(
        Append(FuseStep{.stage = stage, .iterator = 0, .count = count},
               schedule, state));
  }
  if (state.stages[stage].iterators[0].extent == 1) return absl::OkStatus();
  return Append(
      AnnotateStep{
          .stage = stage, .iterator = 0, .annotation = Annotation::kParallel},
      schedule, state);
}

absl::Status AnnotateUnrolling(int stage, int64_t max_step, Schedule& schedule,
                               LoopState& state) {
  if (!IsComputed(state, stage)) return absl::OkStatus();
  return Append(AutoUnrollStep{.stage = stage, .max_step = max_step}, schedule,
                state);
}

absl::Status AnnotateInnermost(Schedule& schedule, LoopState& state) {
  for (int stage = 0; stage < state.dag->size(); ++stage) {
    if (!IsComputed(state, stage)) continue;
    const StageState& s = state.stages[stage];
    int vector = InnermostOf(s, AxisKind::kSpatial);
    const int reduction = InnermostOf(s, AxisKind::kReduction);
    if (vector < 0 || s.iterators[vector].annotation != Annotation::kNone)
      continue;
    // Nothing is computed inside a vector, not even in a loop of one iteration.
    bool occupied = false;
    for (int i = vector; i < static_cast<int>(s.iterators.size()); ++i) {
      occupied |= s.iterators[i].kind == AxisKind::kSpatial &&
                  IsOccupied(state, stage, i);
    }
    if (occupied) continue;
    if (vector < reduction) {
      RETURN_IF_ERROR(MoveInnermost(stage, vector, schedule, state));
      vector = static_cast<int>(s.iterators.size()) - 1;
    } else if (reduction >= 0) {
      for (int i = reduction + 1; i < vector; ++i) {
        if (state.stages[stage].iterators[i].extent == 1) continue;
        RETURN_IF_ERROR(Append(AnnotateStep{.stage = stage,
                                            .iterator = i,
                                            .annotation = Annotation::kUnroll},
                               schedule, state));
      }
    }
    RETURN_IF_ERROR(Append(AnnotateStep{.stage = stage,
                                        .iterator = vector,
                                        .annotation = Annotation::kVectorize},
                           schedule, state));
  }
  return absl::OkStatus();
}

}  // namespace pruner
