#include <algorithm>
#include <cstdint>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Of a vector of the stage's narrowest values: shorter ones are none where they
// have guards.
int64_t LanesOf(const Stage& stage, const TargetSpec& target) {
  int64_t bytes = stage.ElementBytes();
  for (const ElementType& type : stage.types)
    bytes = std::min<int64_t>(bytes, type.Bytes());
  return std::max(target.units.simd_lanes,
                  target.registers.bytes / std::max<int64_t>(1, bytes));
}

// Has the loops over short axes whose iterations read the same inside of the
// others, unrolled around a vector: what the channels of a pixel have in common
// is then computed once for all of them. Of stages that are no outputs, which
// may be computed anywhere. Not in Ansor, whose tensors have no such channels.
class UnrollShared : public SketchRule {
 public:
  absl::string_view Name() const override { return "unroll_shared"; }

  RuleMatch Match(const SketchContext& context,
                  const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    const bool is_candidate =
        !stage.IsInitialized() && stage.IsPlaceable() && !stage.shape.empty() &&
        IsUntouched(from, from.stage) &&
        stage.shape.back() > LanesOf(stage, context.target) &&
        !HasDataReuse(from.dag(), from.stage) &&
        !IsEpilogue(from.dag(), from.stage);
    return is_candidate && !SharingAxes(from.dag(), from.stage).empty()
               ? RuleMatch::kApply
               : RuleMatch::kNo;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    Derivation next = from;
    RETURN_IF_ERROR(UnrollAroundVectors(from.stage,
                                        SharingAxes(from.dag(), from.stage),
                                        LanesOf(stage, context.target), next));
    LeaveLocationOpen(from.stage, next);
    --next.stage;
    return std::vector<Derivation>{next};
  }
};

}  // namespace

const SketchRule& UnrollSharedRule() {
  static const UnrollShared kRule;
  return kRule;
}

}  // namespace pruner
