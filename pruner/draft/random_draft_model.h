// Scores that know nothing: what other draft models must beat.
#ifndef PRUNER_DRAFT_RANDOM_DRAFT_MODEL_H_
#define PRUNER_DRAFT_RANDOM_DRAFT_MODEL_H_

#include <cstdint>

#include "pruner/draft/draft_model.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Uniform in [0, 1), by the seed and the program.
class RandomDraftModel : public DraftModel {
 public:
  explicit RandomDraftModel(uint64_t seed) : seed_(seed) {}

  double Score(const Program& program, const TargetSpec& target) const override;

 private:
  uint64_t seed_;
};

}  // namespace pruner

#endif  // PRUNER_DRAFT_RANDOM_DRAFT_MODEL_H_
