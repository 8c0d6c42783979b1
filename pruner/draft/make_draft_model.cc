#include "pruner/draft/make_draft_model.h"

#include <memory>

#include "pruner/draft/cpu_psa.h"
#include "pruner/draft/draft_model.h"
#include "pruner/draft/psa.h"
#include "pruner/draft/solvable_draft.h"
#include "pruner/target/target_spec.h"

namespace pruner {

std::unique_ptr<DraftModel> MakeDraftModel(const TargetSpec& target) {
  if (target.HasThreads())
    return std::make_unique<Psa>(PsaOptions{.starts = true});
  return std::make_unique<SolvableDraft>(std::make_unique<CpuPsa>());
}

}  // namespace pruner
