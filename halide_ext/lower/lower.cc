#include "halide_ext/lower/lower.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "halide_ext/lower/inserted_stages.h"
#include "halide_ext/lower/stage_loops.h"
#include "halide_ext/lower/varying_axes.h"
#include "halide_ext/lower/written_stage.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/replay.h"

namespace pruner {
namespace {

// Visits the steps; what is common to all stages. Steps fit the DAG: they have
// been replayed before.
class Lowering {
 public:
  Lowering(const Schedule& schedule, const AnalyzedPipeline& pipeline,
           const LoopState& state, int vector_lanes)
      : schedule_(schedule),
        dag_(*state.dag),
        state_(state),
        inserted_(InsertStages(schedule, pipeline)),
        vector_lanes_(vector_lanes),
        shrinking_(ShrinkingAxes(state, ReadInPart())),
        varying_(VaryingAxes(schedule, state, GuessedStages(), shrinking_)) {
    for (int i = 0; i < dag_.size(); ++i) {
      stages_.emplace_back(dag_.stage(i), inserted_.bindings[i],
                           state.stages[i].axis_extents, varying_[i]);
    }
  }

  void VisitSteps() {
    const std::vector<int> final_stages = FinalStages(schedule_);
    for (size_t i = 0; i < final_stages.size(); ++i) {
      stage_ = &stages_[final_stages[i]];
      std::visit(*this, schedule_.steps[i]);
    }
  }

  void operator()(const SplitStep& step) {
    stage_->Split(step.iterator, step.lengths, step.tail);
  }
  void operator()(const FollowSplitStep& step) {
    stage_->Split(step.iterator,
                  FollowedLengths(LengthsOf(step.source_step), step.levels),
                  step.tail);
  }
  void operator()(const FollowFusedSplitStep& step) {
    int64_t length = 1;
    for (int64_t source : step.source_steps)
      length *= LengthsOf(source)[step.level];
    stage_->Split(step.iterator, {length}, step.tail);
  }
  void operator()(const FuseStep& step) {
    stage_->Fuse(step.iterator, step.count);
  }
  void operator()(const ReorderStep& step) { stage_->Reorder(step.order); }
  void operator()(const AnnotateStep& step) {
    stage_->Annotate(step.iterator, step.annotation);
  }
  // Which stages there are, where they are computed and kept, and what is
  // unrolled follows from the final state.
  void operator()(const AutoUnrollStep&) {}
  void operator()(const ComputeAtStep&) {}
  void operator()(const ComputeInlineStep&) {}
  void operator()(const ComputeRootStep&) {}
  void operator()(const StoreInStep&) {}
  void operator()(const CacheWriteStep&) {}
  void operator()(const CacheReadStep&) {}
  void operator()(const RfactorStep&) {}
  void operator()(const StorageOrderStep&) {}

  std::vector<Directive> Finish() {
    std::vector<Directive> directives = inserted_.directives;
    for (int i = 0; i < dag_.size(); ++i) {
      const StageState& state = state_.stages[i];
      if (dag_.stage(i).kind == StageKind::kPlaceholder ||
          state.location == ComputeLocation::kInlined) {
        continue;
      }
      directives.push_back(Location(i));
      for (Directive& d : Bounds(i)) directives.push_back(std::move(d));
      if (state.storage != Storage::kDefault) {
        Directive d;
        d.kind = DirectiveKind::kStoreIn;
        d.func = inserted_.bindings[i].func;
        d.storage = state.storage;
        directives.push_back(d);
        // A copy by threads would become up to five, each with barriers.
        if (state.storage == Storage::kShared) {
          d.kind = DirectiveKind::kNeverPartition;
          directives.push_back(std::move(d));
        }
      }
      if (state.storage_order.size() > 1) directives.push_back(StorageOrder(i));
      if (dag_.stage(i).opaque) {
        for (Directive& d : WrittenStageDirectives(
                 dag_.stage(i), inserted_.bindings[i],
                 state.location == ComputeLocation::kRoot, vector_lanes_)) {
          directives.push_back(std::move(d));
        }
        continue;
      }
      std::vector<int> occupied;
      for (size_t loop = 0; loop < state.iterators.size(); ++loop) {
        if (!AttachedAt(state_, i, static_cast<int>(loop)).empty()) {
          occupied.push_back(static_cast<int>(loop));
        }
      }
      stages_[i].KeepOverrunsRolled(occupied);
      stages_[i].AutoUnroll(state.auto_unroll_max_step, occupied,
                            vector_lanes_);
      for (Directive& d : stages_[i].Directives(vector_lanes_))
        directives.push_back(std::move(d));
      if (inserted_.bindings[i].update < 0) continue;
      const bool at_root = state.location == ComputeLocation::kRoot;
      for (Directive& d : stages_[i].InitDirectives(vector_lanes_, at_root)) {
        directives.push_back(std::move(d));
      }
    }
    return directives;
  }

 private:
  std::vector<bool> GuessedStages() const {
    std::vector<bool> guessed;
    for (const FuncBinding& binding : inserted_.bindings)
      guessed.push_back(!binding.sizes_are_known);
    return guessed;
  }

  std::vector<std::vector<bool>> ReadInPart() const {
    std::vector<std::vector<bool>> result;
    for (const FuncBinding& binding : inserted_.bindings)
      result.push_back(binding.read_in_part);
    return result;
  }

  // Extents that Halide would find otherwise. At the root a stage is computed
  // whole, as splits and vectors rely on; of less of it the last ones would
  // reach outside. Of a copy in shared memory Halide often does not see that an
  // extent is constant, and then takes what is copied for more than it is.
  std::vector<Directive> Bounds(int stage) const {
    const StageState& state = state_.stages[stage];
    const FuncBinding& binding = inserted_.bindings[stage];
    std::vector<Directive> directives;
    if (dag_.stage(stage).opaque || dag_.stage(stage).is_output ||
        !binding.sizes_are_known) {
      return directives;
    }
    const bool at_root = state.location == ComputeLocation::kRoot;
    const bool is_shared_copy =
        binding.is_copy && state.storage == Storage::kShared;
    for (int axis = 0; axis < dag_.stage(stage).SpatialRank(); ++axis) {
      const bool is_bound = at_root ? shrinking_[stage][axis] || binding.is_copy
                                    : is_shared_copy && !varying_[stage][axis];
      if (!is_bound) continue;
      Directive& d = directives.emplace_back();
      d.kind = DirectiveKind::kBound;
      d.func = binding.func;
      d.loops.push_back({.name = binding.variables[axis]});
      d.factor = state.axis_extents[axis];
      if (at_root) d.min = binding.mins[axis];
    }
    return directives;
  }

  Directive Location(int stage) const {
    const StageState& state = state_.stages[stage];
    Directive d;
    d.func = inserted_.bindings[stage].func;
    if (state.location == ComputeLocation::kRoot) {
      d.kind = DirectiveKind::kComputeRoot;
      return d;
    }
    d.kind = DirectiveKind::kComputeAt;
    d.target = inserted_.bindings[state.at_stage].func;
    if (const LoopName* loop =
            stages_[state.at_stage].LiveLoopAtOrOutside(state.at_iterator)) {
      d.loops.push_back(*loop);
    }
    return d;
  }

  Directive StorageOrder(int stage) const {
    const std::vector<int64_t>& order = state_.stages[stage].storage_order;
    const FuncBinding& binding = inserted_.bindings[stage];
    Directive d;
    d.kind = DirectiveKind::kReorderStorage;
    d.func = binding.func;
    for (size_t i = order.size(); i-- > 0;)
      d.loops.push_back({.name = binding.variables[order[i]]});
    return d;
  }

  const std::vector<int64_t>& LengthsOf(int64_t split_step) const {
    return std::get<SplitStep>(schedule_.steps[split_step]).lengths;
  }

  const Schedule& schedule_;
  const ComputeDag& dag_;  // with the inserted stages
  const LoopState& state_;
  const InsertedStages inserted_;
  int vector_lanes_;
  // By stage and axis.
  const std::vector<std::vector<bool>> shrinking_;
  const std::vector<std::vector<bool>> varying_;
  std::vector<StageLoops> stages_;
  StageLoops* stage_ = nullptr;  // of the step that is visited
};

}  // namespace

absl::StatusOr<std::vector<Directive>> LowerSchedule(
    const Schedule& schedule, const AnalyzedPipeline& pipeline,
    int vector_lanes) {
  ASSIGN_OR_RETURN(const LoopState state, Replay(pipeline.dag, schedule));
  Lowering lowering(schedule, pipeline, state, vector_lanes);
  lowering.VisitSteps();
  return lowering.Finish();
}

}  // namespace pruner
