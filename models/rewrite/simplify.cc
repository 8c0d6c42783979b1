#include "models/rewrite/simplify.h"

#include <utility>

#include "models/rewrite/flatten_concats.h"
#include "models/rewrite/fold_batch_norm.h"
#include "models/rewrite/move_reshapes.h"
#include "models/rewrite/move_transposes.h"
#include "models/rewrite/remove_dead.h"
#include "models/rewrite/remove_duplicates.h"
#include "models/rewrite/remove_identity.h"
#include "models/rewrite/trim_kernels.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

constexpr RewritePass kPasses[] = {
    {"remove dead nodes", &RemoveDead},
    {"remove identities", &RemoveIdentity},
    {"trim kernels", &TrimKernels},
    {"fold batch norms", &FoldBatchNorm},
    {"flatten concatenations", &FlattenConcats},
    {"move transposes", &MoveTransposes},
    {"move reshapes", &MoveReshapes},
    {"remove duplicates", &RemoveDuplicates},
};

}  // namespace

absl::Span<const RewritePass> SimplificationPasses() { return kPasses; }

absl::StatusOr<OperatorGraph> Simplify(const OperatorGraph& graph) {
  OperatorGraph current = graph;
  // But for the first round's renumbering, what changes a graph removes a node,
  // trims a kernel, turns a batch norm into a bias, flattens a concatenation,
  // or moves a transpose or a reshape towards the outputs, so this ends.
  while (true) {
    OperatorGraph next = current;
    for (const RewritePass& pass : kPasses) {
      ASSIGN_OR_RETURN(next, pass.run(next),
                       _ << "in the pass \"" << pass.name << "\"");
    }
    if (next == current) return current;
    current = std::move(next);
  }
}

}  // namespace pruner
