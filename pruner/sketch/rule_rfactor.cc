#include <optional>
#include <utility>

#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// The outermost or innermost reduction axis that is longer than 1.
std::optional<int> LongAxis(const Stage& stage, RfactorPart part) {
  std::optional<int> found;
  for (int axis = stage.SpatialRank();
       axis < static_cast<int>(stage.axes.size()); ++axis) {
    if (stage.axes[axis].extent == 1) continue;
    found = axis;
    if (part == RfactorPart::kOuter) break;
  }
  return found;
}

// Takes a reduction apart, for its results are too few to keep all cores busy
// or cannot be computed as vectors. Unlike Ansor's, which fuses the reduction
// axes, it takes apart one axis: indices stay sums, and what is read stays
// known.
class Rfactor : public SketchRule {
 public:
  absl::string_view Name() const override { return "rfactor"; }

  RuleMatch Match(const SketchContext& context,
                  const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    const bool pays = ForCores(context, from) ||
                      ReducesContiguousElements(from.dag(), from.stage);
    if (stage.cached || stage.ordered || !pays) return RuleMatch::kNo;
    return RuleMatch::kApply;
  }

  // Partial results for the lanes of vectors, for the cores, and for both.
  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const override {
    std::vector<Derivation> result = {from};
    RETURN_IF_ERROR(TakeApart(from.stage, RfactorPart::kInner, result[0]));
    if (ForCores(context, from)) {
      Derivation outer = from;
      RETURN_IF_ERROR(TakeApart(from.stage, RfactorPart::kOuter, outer));
      result.push_back(outer);
      // The outer part's partial results, taken apart once more; along another
      // axis, so that each factor can be drawn for itself.
      const Stage& whole = from.dag().stage(from.stage);
      if (LongAxis(whole, RfactorPart::kInner) !=
          LongAxis(whole, RfactorPart::kOuter)) {
        RETURN_IF_ERROR(TakeApart(from.stage, RfactorPart::kInner, outer));
        result.push_back(std::move(outer));
      }
    }
    for (Derivation& next : result) {
      for (int part = 0; part <= next.dag().size() - from.dag().size(); ++part)
        LeaveLocationOpen(from.stage + part, next);
      next.stage = from.stage - 1;
    }
    return result;
  }

 private:
  static bool ForCores(const SketchContext& context, const Derivation& from) {
    return HasMoreReductionParallelism(from.dag(), from.stage,
                                       context.target.units.cores);
  }

  static absl::Status TakeApart(int stage, RfactorPart part,
                                Derivation& derivation) {
    const std::optional<int> axis =
        LongAxis(derivation.dag().stage(stage), part);
    return AppendFactor({.stage = stage, .axis = *axis, .part = part},
                        /*max_factor=*/0, derivation);
  }
};

}  // namespace

const SketchRule& RfactorRule() {
  static const Rfactor kRule;
  return kRule;
}

}  // namespace pruner
