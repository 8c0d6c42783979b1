// The interface of draft models: cheap estimates, made without a compiler, that
// pick the candidates worth a closer look (Pruner's draft;
// docs/algorithms.md B3). All implementations pass draft_model_conformance.h.
#ifndef PRUNER_DRAFT_DRAFT_MODEL_H_
#define PRUNER_DRAFT_DRAFT_MODEL_H_

#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

class DraftModel {
 public:
  virtual ~DraftModel() = default;

  // Higher is faster; finite. The inverse of the seconds that the program is
  // expected to take, as well as the model knows: within a task it is to order
  // candidates, between tasks it is a rough guess. Scores depend on the
  // arguments alone, so calls may come in any order and from several threads.
  virtual double Score(const Program& program,
                       const TargetSpec& target) const = 0;
};

}  // namespace pruner

#endif  // PRUNER_DRAFT_DRAFT_MODEL_H_
