#include "pruner/draft/random_draft_model.h"

#include "pruner/base/hash.h"
#include "pruner/base/rng.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

double RandomDraftModel::Score(const Program& program,
                               const TargetSpec& /*target*/) const {
  return Rng(seed_).Fork(Fingerprint(program.ToString())).Real();
}

}  // namespace pruner
