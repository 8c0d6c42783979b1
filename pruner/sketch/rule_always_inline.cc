#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/recomputation.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

bool CanInline(const Stage& stage) {
  return stage.kind == StageKind::kCompute && !stage.is_output &&
         !stage.opaque && !stage.HasReduction();
}

// Computes a cheap stage as part of its readers. Not a stencil that is read at
// several places: each would compute it anew, and that is left open.
class AlwaysInline : public SketchRule {
 public:
  using Pays = bool (*)(const Derivation& from);

  explicit AlwaysInline(Pays pays) : pays_(pays) {}

  absl::string_view Name() const override { return "always_inline"; }

  RuleMatch Match(const SketchContext&, const Derivation& from) const override {
    return CanInline(from.dag().stage(from.stage)) && pays_(from)
               ? RuleMatch::kApplyAndSkipRest
               : RuleMatch::kNo;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext&, const Derivation& from) const override {
    Derivation next = from;
    RETURN_IF_ERROR(Append(ComputeInlineStep{.stage = from.stage}, next));
    --next.stage;
    return std::vector<Derivation>{next};
  }

 private:
  const Pays pays_;
};

bool IsCheap(const Derivation& from) {
  const bool is_stencil = ReadsNeighbours(from.dag().stage(from.stage)) &&
                          InlinedReads(from.state).PerElement(from.stage) > 1;
  return !is_stencil && IsStrictlyInlinable(from.dag(), from.stage);
}

// Threads recompute anything for less than what they would wait for it, but for
// what a reduction would evaluate for each summand.
bool IsCheapInThreads(const Derivation& from) {
  return !IsDearInReduction(from.dag(), from.stage, [&](int reader) {
    return from.state.stages[reader].location == ComputeLocation::kInlined;
  });
}

}  // namespace

const SketchRule& AlwaysInlineRule() {
  static const AlwaysInline kRule(IsCheap);
  return kRule;
}

const SketchRule& InlineInThreadsRule() {
  static const AlwaysInline kRule(IsCheapInThreads);
  return kRule;
}

}  // namespace pruner
