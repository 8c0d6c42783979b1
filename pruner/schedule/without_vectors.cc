#include "pruner/schedule/without_vectors.h"

#include <variant>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/schedule/replay.h"

namespace pruner {

absl::StatusOr<Schedule> WithoutVectors(const ComputeDag& dag,
                                        const Schedule& schedule,
                                        const std::set<std::string>& stages) {
  ASSIGN_OR_RETURN(const LoopState state, ReplayStructure(dag, schedule));
  const std::vector<int> final_stages = FinalStages(schedule);
  Schedule result = schedule;
  for (size_t i = 0; i < result.steps.size(); ++i) {
    auto* annotate = std::get_if<AnnotateStep>(&result.steps[i]);
    const bool is_vector =
        annotate != nullptr && annotate->annotation == Annotation::kVectorize;
    // Steps speak of earlier ones by their number: all of them stay.
    if (is_vector && stages.contains(state.dag->stage(final_stages[i]).name))
      annotate->annotation = Annotation::kNone;
  }
  return result;
}

}  // namespace pruner
