#include <algorithm>
#include <cstdint>
#include <utility>
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
    bytes = std::min<int64_t>(bytes, std::max(1, type.bits / 8));
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
    const StageState& state = from.state.stages[from.stage];
    const bool is_candidate =
        !stage.opaque && !stage.IsInitialized() && stage.IsPlaceable() &&
        !stage.shape.empty() && state.iterators.size() == stage.axes.size() &&
        state.location == ComputeLocation::kRoot &&
        stage.shape.back() > LanesOf(stage, context.target) &&
        !HasDataReuse(from.dag(), from.stage) &&
        !IsEpilogue(from.dag(), from.stage);
    return is_candidate && !SharingAxes(from.dag(), from.stage).empty()
               ? RuleMatch::kApply
               : RuleMatch::kNo;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const override {
    const std::vector<int> unrolled = SharingAxes(from.dag(), from.stage);
    const Stage& stage = from.dag().stage(from.stage);
    const int innermost = stage.SpatialRank() - 1;
    Derivation next = from;
    RETURN_IF_ERROR(
        Append(SplitStep{.stage = from.stage,
                         .iterator = innermost,
                         .lengths = {LanesOf(stage, context.target)}},
               next));
    std::vector<int64_t> order;
    for (int axis = 0; axis <= innermost; ++axis) {
      if (std::find(unrolled.begin(), unrolled.end(), axis) == unrolled.end())
        order.push_back(axis);
    }
    const auto outer = static_cast<int>(order.size());
    order.insert(order.end(), unrolled.begin(), unrolled.end());
    order.push_back(innermost + 1);
    RETURN_IF_ERROR(Append(
        ReorderStep{.stage = from.stage, .order = std::move(order)}, next));
    for (int i = 0; i < static_cast<int>(unrolled.size()); ++i) {
      RETURN_IF_ERROR(
          Annotate(from.stage, outer + i, Annotation::kUnroll, next));
    }
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
