#include "pruner/sample/program_template.h"

#include <cstddef>
#include <utility>
#include <variant>

#include "pruner/base/status_macros.h"
#include "pruner/sketch/candidate.h"
#include "pruner/sketch/decision.h"

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

// Of the unrolling of this stage that is said behind the sketch's own steps; -1
// if it is not said.
int UnrollingStep(const Sketch& sketch, const Schedule& schedule, int stage) {
  for (size_t i = sketch.schedule.steps.size(); i < schedule.steps.size();
       ++i) {
    const auto* unroll = std::get_if<AutoUnrollStep>(&schedule.steps[i]);
    if (unroll != nullptr && unroll->stage == stage) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

absl::StatusOr<ProgramTemplate> MakeTemplate(const Sketch& sketch,
                                             const Schedule& schedule,
                                             const LoopState& state) {
  ProgramTemplate result;
  ASSIGN_OR_RETURN(result.structure, MakeStructure(schedule, state));
  result.numbers = NumbersOf(schedule);
  const std::vector<int> first_numbers = FirstNumbers(schedule);
  for (const Decision& decision : sketch.decisions) {
    int step = -1;
    if (decision.HasLengths() && decision.kind != DecisionKind::kFactor)
      step = decision.step;
    if (decision.kind == DecisionKind::kUnroll)
      step = UnrollingStep(sketch, schedule, decision.stage);
    if (step < 0) continue;
    for (int k = 0; k < decision.count; ++k) {
      result.sources.push_back(
          {.number = first_numbers[step] + k, .value = decision.first + k});
    }
  }
  return result;
}

void FillHoles(const Sketch& sketch, absl::Span<const int32_t> values,
               Schedule& schedule) {
  for (const Decision& decision : sketch.decisions) {
    if (decision.step < 0) break;
    Fill(decision, values, schedule.steps[decision.step]);
  }
}

}  // namespace pruner
