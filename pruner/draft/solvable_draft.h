// A draft model for a compiler that has to come to an end.
#ifndef PRUNER_DRAFT_SOLVABLE_DRAFT_H_
#define PRUNER_DRAFT_SOLVABLE_DRAFT_H_

#include <memory>
#include <utility>

#include "pruner/draft/draft_model.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Another model's scores, of programs with more unsized stages
// (MostUnsizedStages) than the target's limits say in the ratio in which they
// have more. A limit of 0: the model's own. A hard limit would leave nothing of
// a pipeline like a pyramid to begin a search with.
class SolvableDraft : public DraftModel {
 public:
  explicit SolvableDraft(std::unique_ptr<const DraftModel> model)
      : model_(std::move(model)) {}
  double Score(const Program& program, const TargetSpec& target) const override;

 private:
  const std::unique_ptr<const DraftModel> model_;
};

}  // namespace pruner

#endif  // PRUNER_DRAFT_SOLVABLE_DRAFT_H_
