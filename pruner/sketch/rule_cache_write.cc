#include "pruner/base/status_macros.h"
#include "pruner/dag/derived_dag.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Gives a stage with data reuse that no consumer can share the tiles of (there
// are several, or they transpose or reduce) one that can: a copy, inside which
// it is then computed tile by tile. An output that is a reduction, too: what
// is summed up in registers is added to it once.
class CacheWrite : public SketchRule {
 public:
  // What it answers where it matches.
  explicit CacheWrite(RuleMatch match) : match_(match) {}

  absl::string_view Name() const override { return "cache_write"; }

  RuleMatch Match(const SketchContext&, const Derivation& from) const override {
    const ComputeDag& dag = from.dag();
    const Stage& stage = dag.stage(from.stage);
    const bool is_fusible =
        !stage.is_output && ConsumerToFuse(from, from.stage);
    if (!CanBeCached(stage) || is_fusible || !HasDataReuse(dag, from.stage)) {
      return RuleMatch::kNo;
    }
    return match_;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext&, const Derivation& from) const override {
    Derivation next = from;
    RETURN_IF_ERROR(Append(CacheWriteStep{.stage = from.stage}, next));
    return std::vector<Derivation>{next};
  }

 private:
  const RuleMatch match_;
};

}  // namespace

const SketchRule& CacheWriteRule() {
  static const CacheWrite kRule(RuleMatch::kApply);
  return kRule;
}

// Threads accumulate nowhere but in storage of their own.
const SketchRule& CacheWriteInThreadsRule() {
  static const CacheWrite kRule(RuleMatch::kApplyAndSkipRest);
  return kRule;
}

}  // namespace pruner
