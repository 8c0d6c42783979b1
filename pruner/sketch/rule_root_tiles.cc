#include <vector>

#include "absl/algorithm/container.h"
#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Shorter axes are not cut.
constexpr int64_t kMinTiledExtent = 16;

// Leaves open where a stage without data reuse that is no output is computed,
// and, if that is at the root, in which strips or tiles: what it reads can then
// be computed tile by tile. In naive loops it would be row by row, the rows of
// each stencil several times over. Not in Ansor, whose tiles are for data
// reuse.
class RootTiles : public SketchRule {
 public:
  absl::string_view Name() const override { return "root_tiles"; }

  RuleMatch Match(const SketchContext&, const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    const bool is_candidate = !stage.is_output && !stage.opaque &&
                              !stage.IsInitialized() && stage.sizes_are_known &&
                              !HasDataReuse(from.dag(), from.stage) &&
                              !IsEpilogue(from.dag(), from.stage) &&
                              LongAxes(stage, kMinTiledExtent).size() == 2;
    return is_candidate && ReadsCostlyStage(from.dag(), from.stage)
               ? RuleMatch::kApplyAndSkipRest
               : RuleMatch::kNo;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const override {
    const std::vector<int> axes =
        LongAxes(from.dag().stage(from.stage), kMinTiledExtent);
    const int rank = from.dag().stage(from.stage).SpatialRank();
    Derivation next = from;
    const std::vector<int> separate = FirstAxes(from);
    std::vector<int64_t> first, outer, untiled, inner;
    int position = 0;
    for (int axis = 0; axis < rank; ++axis) {
      if (!absl::c_linear_search(axes, axis)) {
        const bool is_separate = absl::c_linear_search(separate, axis);
        // Inside of the tiles' loops, where vectors are.
        (axis + 1 == rank ? inner
         : is_separate    ? first
                          : untiled)
            .push_back(position++);
        continue;
      }
      RETURN_IF_ERROR(AppendTile(
          context,
          {.stage = from.stage,
           .iterator = position,
           .lengths = {0},
           .tail = Tail::kShiftInwards},
          {.is_vector_axis = axis + 1 == rank, .is_at_root = true}, next));
      outer.push_back(position++);
      inner.push_back(position++);
    }
    std::vector<int64_t> order;
    for (const auto& loops : {first, outer, untiled, inner})
      order.insert(order.end(), loops.begin(), loops.end());
    RETURN_IF_ERROR(
        Append(ReorderStep{.stage = from.stage, .order = order}, next));
    LeaveLocationOpen(from.stage, next);
    --next.stage;
    return std::vector<Derivation>{next};
  }

 private:
  // Whether it reads something that should not be computed over and over and
  // that the sampler can place, itself or through what can be inlined. Not if
  // it reads what has tiles of its own: it may have to follow these.
  static bool ReadsCostlyStage(const ComputeDag& dag, int stage) {
    bool reads_costly = false;
    std::vector<bool> is_known(dag.size(), false);
    std::vector<int> pending = {stage};
    while (!pending.empty()) {
      const int reader = pending.back();
      pending.pop_back();
      for (const int producer : dag.producers(reader)) {
        const Stage& p = dag.stage(producer);
        if (is_known[producer] || !p.IsPlaceable()) continue;
        if (HasDataReuse(dag, producer)) return false;
        is_known[producer] = true;
        if (ReadsNeighbours(p) || p.HasReduction() || p.opaque) {
          reads_costly = true;
        } else {
          pending.push_back(producer);
        }
      }
    }
    return reads_costly;
  }
};

}  // namespace

const SketchRule& RootTilesRule() {
  static const RootTiles kRule;
  return kRule;
}

}  // namespace pruner
