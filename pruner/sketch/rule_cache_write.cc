#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Gives a stage with data reuse that no consumer can share the tiles of (there
// are several, or they transpose or reduce) one that can: a copy, inside which
// it is then computed tile by tile. Not for outputs, which nothing reads.
class CacheWrite : public SketchRule {
 public:
  absl::string_view Name() const override { return "cache_write"; }

  RuleMatch Match(const SketchContext& context,
                  const Derivation& from) const override {
    const ComputeDag& dag = from.dag();
    if (dag.stage(from.stage).is_output || !HasDataReuse(dag, from.stage) ||
        ConsumerToFuse(from, from.stage)) {
      return RuleMatch::kNo;
    }
    // Threads accumulate nowhere but in storage of their own.
    return HasThreads(context.target) ? RuleMatch::kApplyAndSkipRest
                                      : RuleMatch::kApply;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext&, const Derivation& from) const override {
    Derivation next = from;
    RETURN_IF_ERROR(Append(CacheWriteStep{.stage = from.stage}, next));
    return std::vector<Derivation>{next};
  }
};

}  // namespace

const SketchRule& CacheWriteRule() {
  static const CacheWrite kRule;
  return kRule;
}

}  // namespace pruner
