#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/recomputation.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Computes a cheap stage as part of its readers. Where there are threads any
// stage without a reduction: computing it anew costs less than to store and
// load it. Elsewhere not a stencil that is read at several places: each
// would compute it anew, and the sampler decides.
class AlwaysInline : public SketchRule {
 public:
  absl::string_view Name() const override { return "always_inline"; }

  RuleMatch Match(const SketchContext& context,
                  const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    const bool can = stage.kind == StageKind::kCompute && !stage.is_output &&
                     !stage.opaque && !stage.HasReduction();
    const bool is_stencil =
        ReadsNeighbours(stage) && ReadsPerElement(from.state, from.stage) > 1;
    const bool pays =
        context.target.HasThreads() ||
        (!is_stencil && IsStrictlyInlinable(from.dag(), from.stage));
    return can && pays ? RuleMatch::kApplyAndSkipRest : RuleMatch::kNo;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext&, const Derivation& from) const override {
    Derivation next = from;
    RETURN_IF_ERROR(Append(ComputeInlineStep{.stage = from.stage}, next));
    --next.stage;
    return std::vector<Derivation>{next};
  }
};

}  // namespace

const SketchRule& AlwaysInlineRule() {
  static const AlwaysInline kRule;
  return kRule;
}

}  // namespace pruner
