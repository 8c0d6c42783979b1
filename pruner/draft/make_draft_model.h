// The analytic draft model of a target.
#ifndef PRUNER_DRAFT_MAKE_DRAFT_MODEL_H_
#define PRUNER_DRAFT_MAKE_DRAFT_MODEL_H_

#include <memory>

#include "pruner/draft/draft_model.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Psa where loops are bound to threads, CpuPsa elsewhere.
std::unique_ptr<DraftModel> MakeDraftModel(const TargetSpec& target);

}  // namespace pruner

#endif  // PRUNER_DRAFT_MAKE_DRAFT_MODEL_H_
