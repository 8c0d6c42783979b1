#include "halide_ext/lower/lower.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "halide_ext/lower/stage_loops.h"
#include "halide_ext/lower/varying_axes.h"
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
        pipeline_(pipeline),
        state_(state),
        vector_lanes_(vector_lanes) {
    const std::vector<std::vector<bool>> varying = VaryingAxes(schedule, state);
    for (int i = 0; i < pipeline.dag.size(); ++i) {
      stages_.emplace_back(pipeline.dag.stage(i), pipeline.bindings[i],
                           state.stages[i].axis_extents, varying[i]);
    }
  }

  void operator()(const SplitStep& step) {
    stages_[step.stage].Split(step.iterator, step.lengths, step.tail);
  }
  void operator()(const FollowSplitStep& step) {
    const auto& source = std::get<SplitStep>(schedule_.steps[step.source_step]);
    stages_[step.stage].Split(
        step.iterator, FollowedLengths(source.lengths, step.levels), step.tail);
  }
  void operator()(const FuseStep& step) {
    stages_[step.stage].Fuse(step.iterator, step.count);
  }
  void operator()(const ReorderStep& step) {
    stages_[step.stage].Reorder(step.order);
  }
  void operator()(const AnnotateStep& step) {
    stages_[step.stage].Annotate(step.iterator, step.annotation);
  }
  // Where stages are computed and what is unrolled follows from the final
  // state.
  void operator()(const AutoUnrollStep&) {}
  void operator()(const ComputeAtStep&) {}
  void operator()(const ComputeInlineStep&) {}
  void operator()(const ComputeRootStep&) {}

  std::vector<Directive> Finish() {
    std::vector<Directive> directives;
    for (int i = 0; i < pipeline_.dag.size(); ++i) {
      const StageState& state = state_.stages[i];
      if (pipeline_.dag.stage(i).kind == StageKind::kPlaceholder ||
          state.location == ComputeLocation::kInlined) {
        continue;
      }
      directives.push_back(Location(i));
      if (pipeline_.dag.stage(i).opaque) continue;
      std::vector<int> occupied;
      for (size_t loop = 0; loop < state.iterators.size(); ++loop) {
        if (!AttachedAt(state_, i, static_cast<int>(loop)).empty()) {
          occupied.push_back(static_cast<int>(loop));
        }
      }
      stages_[i].AutoUnroll(state.auto_unroll_max_step, occupied,
                            vector_lanes_);
      for (Directive& d : stages_[i].Directives(vector_lanes_))
        directives.push_back(std::move(d));
      if (pipeline_.bindings[i].update < 0) continue;
      const bool at_root = state.location == ComputeLocation::kRoot;
      for (Directive& d : stages_[i].InitDirectives(vector_lanes_, at_root)) {
        directives.push_back(std::move(d));
      }
    }
    return directives;
  }

 private:
  Directive Location(int stage) const {
    const StageState& state = state_.stages[stage];
    Directive d;
    d.func = pipeline_.bindings[stage].func;
    if (state.location == ComputeLocation::kRoot) {
      d.kind = DirectiveKind::kComputeRoot;
      return d;
    }
    d.kind = DirectiveKind::kComputeAt;
    d.target = pipeline_.bindings[state.at_stage].func;
    if (const LoopName* loop =
            stages_[state.at_stage].LiveLoopAtOrOutside(state.at_iterator)) {
      d.loops.push_back(*loop);
    }
    return d;
  }

  const Schedule& schedule_;
  const AnalyzedPipeline& pipeline_;
  const LoopState& state_;
  int vector_lanes_;
  std::vector<StageLoops> stages_;
};

}  // namespace

absl::StatusOr<std::vector<Directive>> LowerSchedule(
    const Schedule& schedule, const AnalyzedPipeline& pipeline,
    int vector_lanes) {
  ASSIGN_OR_RETURN(const LoopState state, Replay(pipeline.dag, schedule));
  Lowering lowering(schedule, pipeline, state, vector_lanes);
  for (const TransformStep& step : schedule.steps) std::visit(lowering, step);
  return lowering.Finish();
}

}  // namespace pruner
