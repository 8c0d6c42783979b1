#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Tiles a stage that reads the same elements again and again.
class MultiLevelTiling : public SketchRule {
 public:
  absl::string_view Name() const override { return "multi_level_tiling"; }

  RuleMatch Match(const SketchContext&, const Derivation& from) const override {
    return HasDataReuse(from.dag(), from.stage) ? RuleMatch::kApplyAndSkipRest
                                                : RuleMatch::kNo;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const override {
    Derivation next = from;
    RETURN_IF_ERROR(TileStage(context, from.stage, next));
    RETURN_IF_ERROR(BindBlocks(context, from.stage, next));
    --next.stage;
    return std::vector<Derivation>{next};
  }
};

}  // namespace

const SketchRule& MultiLevelTilingRule() {
  static const MultiLevelTiling kRule;
  return kRule;
}

}  // namespace pruner
