#include "pruner/sample/choices.h"

#include <variant>

namespace pruner {
namespace {

void Read(const TransformStep& step, StageChoices& choices) {
  if (std::holds_alternative<ComputeAtStep>(step) ||
      std::holds_alternative<ComputeInlineStep>(step) ||
      std::holds_alternative<ComputeRootStep>(step)) {
    choices.location = step;
  } else if (const auto* fuse = std::get_if<FuseStep>(&step)) {
    if (fuse->iterator == 0) choices.parallel_loops = fuse->count;
  } else if (const auto* annotate = std::get_if<AnnotateStep>(&step)) {
    if (annotate->annotation == Annotation::kParallel &&
        !choices.parallel_loops) {
      choices.parallel_loops = 1;
    }
  } else if (const auto* unroll = std::get_if<AutoUnrollStep>(&step)) {
    choices.auto_unroll = unroll->max_step;
  }
}

}  // namespace

Choices ChoicesOf(const Schedule& schedule, size_t first_step,
                  size_t num_stages) {
  Choices choices(num_stages);
  for (size_t i = first_step; i < schedule.steps.size(); ++i) {
    const auto stage = static_cast<size_t>(StageOf(schedule.steps[i]));
    if (stage < num_stages) Read(schedule.steps[i], choices[stage]);
  }
  return choices;
}

}  // namespace pruner
