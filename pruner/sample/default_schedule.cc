#include "pruner/sample/default_schedule.h"

#include <utility>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sample/instantiate.h"
#include "pruner/sample/thread_tiles.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/candidate.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/finish_derivation.h"

namespace pruner {
namespace {

// Which stages cost little to compute where they are read. Last to first, for
// it matters what the readers become part of.
std::vector<bool> InlinedStages(const ComputeDag& dag) {
  std::vector<bool> inlined(dag.size(), false);
  for (int stage = dag.size() - 1; stage >= 0; --stage) {
    const Stage& s = dag.stage(stage);
    inlined[stage] = s.kind == StageKind::kCompute && !s.is_output &&
                     !s.opaque && !s.HasReduction() && !ReadsNeighbours(s) &&
                     !IsDearInReduction(dag, stage, [&](int reader) {
                       return inlined[reader];
                     });
  }
  return inlined;
}

}  // namespace

absl::StatusOr<Schedule> DefaultSchedule(const SketchContext& context) {
  Derivation derivation = {.state = NaiveState(context.dag), .stage = -1};
  const std::vector<bool> inlined = InlinedStages(context.dag);
  for (int stage = 0; stage < context.dag.size(); ++stage) {
    if (!inlined[stage]) continue;
    RETURN_IF_ERROR(Append(ComputeInlineStep{.stage = stage}, derivation));
  }
  ASSIGN_OR_RETURN(Sketch sketch, FinishDerivation({.dag = context.dag,
                                                    .target = context.target},
                                                   std::move(derivation)));
  std::erase_if(sketch.decisions, [](const Decision& decision) {
    return decision.kind == DecisionKind::kUnroll;
  });
  Values values(sketch.NumValues(), kAutomatic);
  SetDefaultThreads(context.target, sketch.decisions, absl::MakeSpan(values));
  return Instantiate(context, sketch, values);
}

}  // namespace pruner
