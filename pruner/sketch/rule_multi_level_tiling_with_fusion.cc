#include <optional>
#include <utility>

#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Tiles a stage with data reuse and its elementwise consumer alike, and
// computes the stage tile by tile inside the consumer; one state for each of
// the target's levels.
class MultiLevelTilingWithFusion : public SketchRule {
 public:
  // Whether tiles are never left without their consumer.
  explicit MultiLevelTilingWithFusion(bool always) : always_(always) {}

  absl::string_view Name() const override {
    return "multi_level_tiling_with_fusion";
  }

  RuleMatch Match(const SketchContext&, const Derivation& from) const override {
    if (!HasDataReuse(from.dag(), from.stage)) return RuleMatch::kNo;
    // Outputs are stored whole.
    if (from.dag().stage(from.stage).is_output) return RuleMatch::kNo;
    const std::optional<int> consumer = ConsumerToFuse(from, from.stage);
    if (!consumer) return RuleMatch::kNo;
    const StageState& c = from.state.stages[*consumer];
    // One that follows another producer's tiles already cannot follow these.
    const bool is_tiled =
        c.iterators.size() != from.dag().stage(*consumer).axes.size();
    if (c.location != ComputeLocation::kRoot || is_tiled) return RuleMatch::kNo;
    // What was set apart to be fused is not left alone.
    return always_ || from.dag().stage(from.stage).cached
               ? RuleMatch::kApplyAndSkipRest
               : RuleMatch::kApply;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const override {
    const int consumer = *ConsumerToFuse(from, from.stage);
    std::vector<Derivation> result;
    for (int64_t level : context.target.tiling.fusion_levels) {
      Derivation next = from;
      RETURN_IF_ERROR(TileStage(context, from.stage, next));
      RETURN_IF_ERROR(FuseIntoConsumer(context, from.stage, consumer,
                                       static_cast<int>(level), next));
      --next.stage;
      result.push_back(std::move(next));
    }
    return result;
  }

 private:
  const bool always_;
};

}  // namespace

const SketchRule& MultiLevelTilingWithFusionRule() {
  static const MultiLevelTilingWithFusion kRule(/*always=*/false);
  return kRule;
}

// Threads accumulate in registers, which only fusion gives them.
const SketchRule& MultiLevelTilingWithFusionInThreadsRule() {
  static const MultiLevelTilingWithFusion kRule(/*always=*/true);
  return kRule;
}

}  // namespace pruner
