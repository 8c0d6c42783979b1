#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Cuts the innermost axis of an output without data reuse into tiles of a few
// vectors, so that it can be parallel and vectorized both, and what it reads
// can be computed tile by tile. Not in Ansor, whose one loop would be either.
class VectorTile : public SketchRule {
 public:
  absl::string_view Name() const override { return "vector_tile"; }

  RuleMatch Match(const SketchContext& context,
                  const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    const bool is_candidate = stage.is_output && !stage.HasReduction() &&
                              !stage.shape.empty() &&
                              !HasDataReuse(from.dag(), from.stage) &&
                              !IsEpilogue(from.dag(), from.stage);
    if (!is_candidate ||
        stage.shape.back() <= context.target.units.simd_lanes) {
      return RuleMatch::kNo;
    }
    return RuleMatch::kApplyAndSkipRest;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const override {
    const int innermost = from.dag().stage(from.stage).SpatialRank() - 1;
    Derivation next = from;
    RETURN_IF_ERROR(AppendTile(context,
                               {.stage = from.stage,
                                .iterator = innermost,
                                .lengths = {0},
                                .tail = Tail::kGuard},
                               {.is_vector_axis = true}, next));
    --next.stage;
    return std::vector<Derivation>{next};
  }
};

}  // namespace

const SketchRule& VectorTileRule() {
  static const VectorTile kRule;
  return kRule;
}

}  // namespace pruner
