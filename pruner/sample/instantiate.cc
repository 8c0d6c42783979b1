#include "pruner/sample/instantiate.h"

#include <variant>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/sample/annotation.h"
#include "pruner/sample/compute_location.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/candidate.h"

namespace pruner {
namespace {

// Puts the values of the decision into the step that waits for them.
void Fill(const Decision& decision, absl::Span<const int32_t> values,
          TransformStep& step) {
  const absl::Span<const int32_t> own = ValuesOf(decision, values);
  if (auto* split = std::get_if<SplitStep>(&step)) {
    split->lengths.assign(own.begin(), own.end());
  } else if (auto* rfactor = std::get_if<RfactorStep>(&step)) {
    rfactor->factor = own[0];
  } else if (auto* order = std::get_if<StorageOrderStep>(&step)) {
    order->order = UnpackOrder(own[0], order->order.size());
  }
}

}  // namespace

absl::StatusOr<Instance> FillHoles(const ComputeDag& dag, const Sketch& sketch,
                                   absl::Span<const int32_t> values) {
  Instance instance = {.schedule = sketch.schedule};
  for (const Decision& decision : sketch.decisions) {
    if (decision.step < 0) break;
    Fill(decision, values, instance.schedule.steps[decision.step]);
  }
  ASSIGN_OR_RETURN(instance.state, ReplayStructure(dag, instance.schedule));
  return instance;
}

absl::Status Annotate(const TargetSpec& target, const Sketch& sketch,
                      absl::Span<const int32_t> values, Instance& instance) {
  auto& [schedule, state] = instance;
  for (const Decision& decision : sketch.decisions) {
    const int stage = decision.stage;
    const int32_t value = values[decision.first];
    if (decision.kind == DecisionKind::kParallel &&
        state.stages[stage].location == ComputeLocation::kRoot) {
      const int count = ParallelLoops(target, state, stage, value);
      RETURN_IF_ERROR(AnnotateParallel(target, stage, count, schedule, state));
    } else if (decision.kind == DecisionKind::kUnroll) {
      RETURN_IF_ERROR(AnnotateUnrolling(stage, value, schedule, state));
    }
  }
  if (!sketch.annotates_innermost) return absl::OkStatus();
  return AnnotateInnermost(schedule, state);
}

absl::StatusOr<Instance> Instantiate(const SketchContext& context,
                                     const Sketch& sketch,
                                     absl::Span<const int32_t> values) {
  ASSIGN_OR_RETURN(Instance instance, FillHoles(context.dag, sketch, values));
  Placement placement(instance.schedule, instance.state);
  for (const Decision& decision : sketch.decisions) {
    if (decision.kind != DecisionKind::kLocation) continue;
    RETURN_IF_ERROR(placement.Place(decision.stage, values[decision.first]));
  }
  RETURN_IF_ERROR(placement.Finish());
  RETURN_IF_ERROR(Annotate(context.target, sketch, values, instance));
  return instance;
}

}  // namespace pruner
