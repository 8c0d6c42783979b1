#include "pruner/draft/random_draft_model.h"

#include "pruner/base/hash.h"
#include "pruner/base/rng.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/target/target_spec.h"

namespace pruner {

double RandomDraftModel::Score(const LoopState& state,
                               const TargetSpec& /*target*/) const {
  return Rng(seed_).Fork(Fingerprint(state.ToString())).Real();
}

}  // namespace pruner
