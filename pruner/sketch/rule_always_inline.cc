#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Computes a cheap stage as part of its readers.
class AlwaysInline : public SketchRule {
 public:
  absl::string_view Name() const override { return "always_inline"; }

  RuleMatch Match(const SketchContext&, const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    if (stage.is_output || !IsStrictlyInlinable(from.dag(), from.stage))
      return RuleMatch::kNo;
    return RuleMatch::kApplyAndSkipRest;
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
