#include "pruner/draft/solvable_draft.h"

#include <cstdint>

#include "pruner/program/unsized_stages.h"

namespace pruner {

double SolvableDraft::Score(const Program& program,
                            const TargetSpec& target) const {
  const double score = model_->Score(program, target);
  const int64_t limit = target.limits.unsized_stages;
  if (limit == 0) return score;
  const int64_t stages = MostUnsizedStages(program);
  return stages <= limit
             ? score
             : score * static_cast<double>(limit) / static_cast<double>(stages);
}

}  // namespace pruner
