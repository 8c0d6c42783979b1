#include "pruner/schedule/replay.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "pruner/base/factors.h"
#include "pruner/base/status_macros.h"
#include "pruner/dag/derived_dag.h"
#include "pruner/schedule/infer_bounds.h"
#include "pruner/schedule/split_iterator.h"
#include "pruner/schedule/step_check.h"

namespace pruner {
namespace {

// Moves the loops that other stages are attached to, after `stage`'s loops
// changed: `moved` gives the new position of an old one, or -1 where nothing
// can attach.
template <typename Moved>
absl::Status MoveAttachments(LoopState& state, int stage, const Moved& moved) {
  for (StageState& s : state.stages) {
    if (s.location != ComputeLocation::kAt || s.at_stage != stage) continue;
    const int position = moved(s.at_iterator);
    if (position < 0)
      return Misfit(
          "a stage is computed at a loop that was fused into another");
    s.at_iterator = position;
  }
  return absl::OkStatus();
}

// Until the sampler draws a factor for the hole, extents are those of the
// smallest.
int64_t FactorOrSmallest(const RfactorStep& step, int64_t extent) {
  if (step.factor != 0) return step.factor;
  const std::vector<int64_t> factors = PrimeFactors(extent);
  return factors.empty() ? 1 : factors[0];
}

// Applies one step; holds what all kinds need.
class Applier {
 public:
  // Of step `number`.
  Applier(const Schedule& schedule, int number, LoopState& state)
      : schedule_(schedule), number_(number), state_(state) {}

  absl::Status operator()(const SplitStep& step) {
    return Split(step.stage, step.iterator, step.lengths);
  }

  absl::Status operator()(const FollowSplitStep& step) {
    if (step.source_step < 0 || step.source_step >= number_) {
      return Misfit("source_step ", step.source_step,
                    " is not an earlier step");
    }
    const auto* source =
        std::get_if<SplitStep>(&schedule_.steps[step.source_step]);
    if (source == nullptr)
      return Misfit("step ", step.source_step, " is not a split");
    if (step.levels < 2 ||
        step.levels > static_cast<int>(source->lengths.size()) + 1) {
      return Misfit("cannot follow a split into ", source->lengths.size() + 1,
                    " loops with ", step.levels);
    }
    return Split(step.stage, step.iterator,
                 FollowedLengths(source->lengths, step.levels));
  }

  absl::Status operator()(const FollowFusedSplitStep& step) {
    int64_t length = 1;
    for (int64_t source_step : step.source_steps) {
      if (source_step < 0 || source_step >= number_)
        return Misfit("source step ", source_step, " is not an earlier step");
      const auto* source =
          std::get_if<SplitStep>(&schedule_.steps[source_step]);
      if (source == nullptr)
        return Misfit("step ", source_step, " is not a split");
      if (step.level < 0 ||
          step.level >= static_cast<int>(source->lengths.size()))
        return Misfit("step ", source_step, " has no level ", step.level);
      length *= source->lengths[step.level];
      if (length > kMaxIterations) return TooLong();
    }
    return Split(step.stage, step.iterator, {length});
  }

  absl::Status operator()(const FuseStep& step) {
    RETURN_IF_ERROR(CheckIterator(state_, step.stage, step.iterator));
    if (step.count < 1 ||
        step.count >
            std::ssize(state_.stages[step.stage].iterators) - step.iterator) {
      return Misfit("cannot fuse ", step.count, " loops from ", step.iterator,
                    " on");
    }
    std::vector<Iterator>& iterators = state_.stages[step.stage].iterators;
    Iterator& fused = iterators[step.iterator];
    for (int i = 1; i < step.count; ++i) {
      const Iterator& next = iterators[step.iterator + i];
      if (next.kind != fused.kind)
        return Misfit("cannot fuse spatial and reduction loops");
      if (next.path != 0 || fused.path != 0)
        return Misfit("cannot fuse a share of a fused loop");
      fused.parts.insert(fused.parts.end(), next.parts.begin(),
                         next.parts.end());
      fused.extent *= next.extent;
      if (fused.extent > kMaxIterations) return TooLong();
    }
    const auto first = iterators.begin() + step.iterator + 1;
    iterators.erase(first, first + (step.count - 1));
    return MoveAttachments(state_, step.stage, [&](int i) {
      if (i < step.iterator) return i;
      if (i >= step.iterator + step.count) return i - step.count + 1;
      return i == step.iterator + step.count - 1 ? step.iterator : -1;
    });
  }

  absl::Status operator()(const ReorderStep& step) {
    RETURN_IF_ERROR(CheckLoops(state_, step.stage));
    std::vector<Iterator>& iterators = state_.stages[step.stage].iterators;
    if (step.order.size() != iterators.size())
      return Misfit("order names too few or many loops");
    RETURN_IF_ERROR(CheckPermutation(step.order));
    RETURN_IF_ERROR(CheckReductionsStayInOrder(state_, step.stage, step.order));
    std::vector<int> position(iterators.size());
    std::vector<Iterator> reordered;
    for (int64_t old : step.order) {
      position[old] = static_cast<int>(reordered.size());
      reordered.push_back(std::move(iterators[old]));
    }
    iterators = std::move(reordered);
    return MoveAttachments(state_, step.stage,
                           [&](int i) { return position[i]; });
  }

  absl::Status operator()(const AnnotateStep& step) {
    RETURN_IF_ERROR(CheckIterator(state_, step.stage, step.iterator));
    state_.stages[step.stage].iterators[step.iterator].annotation =
        step.annotation;
    return absl::OkStatus();
  }

  absl::Status operator()(const AutoUnrollStep& step) {
    RETURN_IF_ERROR(CheckLoops(state_, step.stage));
    state_.stages[step.stage].auto_unroll_max_step = step.max_step;
    return absl::OkStatus();
  }

  absl::Status operator()(const StreamStep& step) {
    RETURN_IF_ERROR(CheckLoops(state_, step.stage));
    const Stage& stage = state_.dag->stage(step.stage);
    const bool is_read =
        step.source >= 0 && step.source < state_.dag->size() &&
        state_.dag->stage(step.source).kind == StageKind::kPlaceholder &&
        std::any_of(
            stage.reads.begin(), stage.reads.end(),
            [&](const Access& read) { return read.stage == step.source; });
    if (!is_read) {
      return Misfit("stage '", stage.name, "' reads no input of number ",
                    step.source);
    }
    if (const Stage& source = state_.dag->stage(step.source);
        !source.sizes_are_known) {
      return Misfit("nothing is streamed of '", source.name,
                    "', whose size is only estimated");
    }
    if (step.max_bytes < 0)
      return Misfit("what is at most ", step.max_bytes, " bytes is nothing");
    state_.stages[step.stage].streamed = step.source;
    return absl::OkStatus();
  }

  absl::Status operator()(const StoreInStep& step) {
    RETURN_IF_ERROR(CheckStage(state_, step.stage));
    if (state_.dag->stage(step.stage).is_output)
      return Misfit("an output is stored where its reader says");
    state_.stages[step.stage].storage = step.storage;
    return absl::OkStatus();
  }

  absl::Status operator()(const StorageOrderStep& step) {
    RETURN_IF_ERROR(CheckLoops(state_, step.stage));
    const Stage& stage = state_.dag->stage(step.stage);
    if (stage.is_output)
      return Misfit("an output is stored as its reader says");
    if (step.order.size() != stage.shape.size())
      return Misfit("order names too few or many dimensions");
    RETURN_IF_ERROR(CheckPermutation(step.order));
    state_.stages[step.stage].storage_order = step.order;
    return absl::OkStatus();
  }

  absl::Status operator()(const CacheWriteStep& step) {
    RETURN_IF_ERROR(CheckUntouched(state_, step.stage));
    ASSIGN_OR_RETURN(const ComputeDag* dag,
                     WithCacheWrite(*state_.dag, step.stage));
    Insert(dag, step.stage);
    state_.stages[step.stage + 1] = NaiveStage(dag->stage(step.stage + 1));
    return absl::OkStatus();
  }

  absl::Status operator()(const CacheReadStep& step) {
    if (step.stage < 0 || step.stage >= state_.dag->size())
      return Misfit("there is no stage ", step.stage);
    ASSIGN_OR_RETURN(const ComputeDag* dag,
                     WithCacheRead(*state_.dag, step.stage, step.readers));
    Insert(dag, step.stage + 1);
    return absl::OkStatus();
  }

  absl::Status operator()(const RfactorStep& step) {
    RETURN_IF_ERROR(CheckUntouched(state_, step.stage));
    const Stage& stage = state_.dag->stage(step.stage);
    if (step.axis < 0 || step.axis >= static_cast<int>(stage.axes.size()))
      return Misfit("stage ", step.stage, " has no axis ", step.axis);
    const int64_t factor = FactorOrSmallest(step, stage.axes[step.axis].extent);
    ASSIGN_OR_RETURN(
        const ComputeDag* dag,
        WithRfactor(*state_.dag, step.stage, step.axis, factor, step.part));
    Insert(dag, step.stage);
    state_.stages[step.stage + 1] = NaiveStage(dag->stage(step.stage + 1));
    if (step.factor != 0) return absl::OkStatus();
    MarkHole(step.stage + 1, dag->stage(step.stage + 1).SpatialRank());
    return absl::OkStatus();
  }

  absl::Status operator()(const ComputeAtStep& step) {
    RETURN_IF_ERROR(CheckStage(state_, step.stage));
    RETURN_IF_ERROR(
        CheckIterator(state_, step.target_stage, step.target_iterator));
    if (step.target_stage <= step.stage)
      return Misfit("a stage is computed at a later one");
    if (state_.dag->stage(step.stage).is_output) {
      return Misfit("output '", state_.dag->stage(step.stage).name,
                    "' is computed at the root");
    }
    if (!state_.dag->stage(step.stage).IsPlaceable()) {
      return Misfit("stage '", state_.dag->stage(step.stage).name,
                    "' is computed as written, and whole");
    }
    StageState& s = state_.stages[step.stage];
    s.location = ComputeLocation::kAt;
    s.at_stage = step.target_stage;
    s.at_iterator = step.target_iterator;
    s.slides = false;
    s.is_placed = true;
    return absl::OkStatus();
  }

  absl::Status operator()(const SlideStep& step) {
    RETURN_IF_ERROR(CheckStage(state_, step.stage));
    StageState& s = state_.stages[step.stage];
    if (s.location != ComputeLocation::kAt) {
      return Misfit("stage '", state_.dag->stage(step.stage).name,
                    "' is in no loop that it could slide over");
    }
    s.slides = true;
    return absl::OkStatus();
  }

  absl::Status operator()(const ComputeInlineStep& step) {
    RETURN_IF_ERROR(CheckStage(state_, step.stage));
    const Stage& stage = state_.dag->stage(step.stage);
    if (stage.HasReduction() || stage.is_output || stage.opaque) {
      return Misfit("stage '", stage.name, "' cannot be inlined");
    }
    return MoveTo(step.stage, ComputeLocation::kInlined);
  }

  absl::Status operator()(const ComputeRootStep& step) {
    RETURN_IF_ERROR(CheckStage(state_, step.stage));
    return MoveTo(step.stage, ComputeLocation::kRoot);
  }

 private:
  // Goes on with `dag`, which has a stage more, in its naive nest.
  void Insert(const ComputeDag* dag, int stage) {
    state_.dag = dag;
    for (StageState& s : state_.stages) {
      s.at_stage += s.at_stage >= stage;
      s.streamed += s.streamed >= stage;
    }
    state_.stages.insert(state_.stages.begin() + stage,
                         NaiveStage(dag->stage(stage)));
  }

  // Extents are not known: a hole.
  void MarkHole(int stage, int iterator) {
    Iterator& hole = state_.stages[stage].iterators[iterator];
    hole.extent = hole.parts[0].extent = 0;
  }

  absl::Status MoveTo(int stage, ComputeLocation location) {
    StageState& s = state_.stages[stage];
    s.location = location;
    s.at_stage = s.at_iterator = -1;
    s.slides = false;
    s.is_placed = true;
    return absl::OkStatus();
  }

  absl::Status Split(int stage, int iterator,
                     const std::vector<int64_t>& lengths) {
    RETURN_IF_ERROR(CheckIterator(state_, stage, iterator));
    std::vector<Iterator>& iterators = state_.stages[stage].iterators;
    ASSIGN_OR_RETURN(const std::vector<Iterator> loops,
                     SplitIterator(iterators[iterator], lengths));
    iterators.erase(iterators.begin() + iterator);
    iterators.insert(iterators.begin() + iterator, loops.begin(), loops.end());
    const int added = static_cast<int>(lengths.size());
    return MoveAttachments(state_, stage,
                           [&](int i) { return i < iterator ? i : i + added; });
  }

  const Schedule& schedule_;
  const int number_;
  LoopState& state_;
};

}  // namespace

LoopState NaiveState(const ComputeDag& dag) {
  LoopState state;
  state.task = &dag;
  state.dag = &dag;
  state.stages.reserve(dag.size());
  for (const Stage& stage : dag.stages())
    state.stages.push_back(NaiveStage(stage));
  return state;
}

absl::Status ApplyStep(const Schedule& schedule, int i, LoopState& state) {
  absl::Status status =
      std::visit(Applier(schedule, i, state), schedule.steps[i]);
  if (status.ok()) return status;
  return absl::InvalidArgumentError(
      absl::StrCat("step ", i, ": ", status.message()));
}

absl::StatusOr<LoopState> ReplayStructure(const ComputeDag& dag,
                                          const Schedule& schedule) {
  LoopState state = NaiveState(dag);
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    RETURN_IF_ERROR(ApplyStep(schedule, static_cast<int>(i), state));
  }
  return state;
}

absl::StatusOr<LoopState> Replay(const ComputeDag& dag,
                                 const Schedule& schedule) {
  ASSIGN_OR_RETURN(LoopState state, ReplayStructure(dag, schedule));
  RETURN_IF_ERROR(InferBounds(state));
  return state;
}

}  // namespace pruner
