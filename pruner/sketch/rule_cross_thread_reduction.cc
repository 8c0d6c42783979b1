#include <utility>

#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Gives each thread of a block a share of a long reduction; their results meet
// in shared memory, where one thread adds them up. Ansor fuses the reduction
// axes first; here the innermost one is shared out, so that indices stay sums.
class CrossThreadReduction : public SketchRule {
 public:
  absl::string_view Name() const override { return "cross_thread_reduction"; }

  RuleMatch Match(const SketchContext& context,
                  const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    if (stage.ordered || stage.opaque || !stage.HasReduction() ||
        stage.shape.empty() ||
        context.target.limits.shared_bytes_per_block == 0) {
      return RuleMatch::kNo;
    }
    // docs/algorithms.md A2, HasMoreReductionParallel on GPUs.
    const bool few_results =
        stage.SpatialSize() <= context.target.limits.threads_per_block &&
        stage.SpatialSize() < stage.ReductionSize();
    const bool pays =
        HasDataReuse(from.dag(), from.stage)
            ? few_results
            : stage.ReductionSize() > context.target.units.simd_lanes;
    const int axis = static_cast<int>(stage.axes.size()) - 1;
    return pays && stage.axes[axis].extent > 1 ? RuleMatch::kApply
                                               : RuleMatch::kNo;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const override {
    Derivation next = from;
    const Stage& stage = from.dag().stage(from.stage);
    const int rank = stage.SpatialRank();
    RETURN_IF_ERROR(
        AppendFactor({.stage = from.stage,
                      .axis = static_cast<int>(stage.axes.size()) - 1,
                      .part = RfactorPart::kInner},
                     context.target.limits.threads_per_block, next));
    const int partial = from.stage, whole = from.stage + 1;
    RETURN_IF_ERROR(BindBlocks(context, whole, next));
    RETURN_IF_ERROR(Append(
        ComputeAtStep{
            .stage = partial, .target_stage = whole, .target_iterator = 0},
        next));
    RETURN_IF_ERROR(Append(
        StoreInStep{.stage = partial, .storage = Storage::kShared}, next));
    RETURN_IF_ERROR(Annotate(partial, rank, Annotation::kThread, next));
    next.stage = from.stage - 1;
    return std::vector<Derivation>{next};
  }
};

}  // namespace

const SketchRule& CrossThreadReductionRule() {
  static const CrossThreadReduction kRule;
  return kRule;
}

}  // namespace pruner
