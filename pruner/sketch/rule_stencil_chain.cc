#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Shorter axes are not cut.
constexpr int64_t kMinTiledExtent = 12;

// Tiles an output without data reuse in two axes, so that what it reads, and
// what that reads in turn, can be computed tile by tile while it is in cache.
// Which of them are, and at which loop, is left to the sampler. Short axes
// whose iterations read the same may be unrolled inside of that, and those
// whose iterations do not may be outside. Not in Ansor, whose tiles hold one
// producer with data reuse.
class StencilChain : public SketchRule {
 public:
  absl::string_view Name() const override { return "stencil_chain"; }

  RuleMatch Match(const SketchContext&, const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    if (!stage.is_output || stage.HasReduction() ||
        HasDataReuse(from.dag(), from.stage) ||
        IsEpilogue(from.dag(), from.stage)) {
      return RuleMatch::kNo;
    }
    if (LongAxes(stage, kMinTiledExtent).size() < 2 ||
        !HasProducer(from.dag(), from.stage))
      return RuleMatch::kNo;
    return RuleMatch::kApply;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    std::vector<int> unrolled = SharingAxes(from.dag(), from.stage);
    const std::vector<int> tiled = LongAxes(stage, kMinTiledExtent);
    // An innermost axis that is not tiled is the vector's.
    if (tiled.back() + 1 != stage.SpatialRank()) unrolled.clear();
    std::vector<Derivation> all;
    const auto add = [&](const Derivation& start) -> absl::Status {
      ASSIGN_OR_RETURN(all.emplace_back(), Tiled(context, start, {}));
      if (!unrolled.empty()) {
        ASSIGN_OR_RETURN(all.emplace_back(), Tiled(context, start, unrolled));
      }
      return absl::OkStatus();
    };
    RETURN_IF_ERROR(add(from));
    const bool has_separate_loops = absl::c_any_of(
        SeparateAxes(from.dag(), from.stage),
        [&](int axis) { return !absl::c_linear_search(tiled, axis); });
    if (context.timed && has_separate_loops) {
      Derivation separated = from;
      separated.separate_first = true;
      RETURN_IF_ERROR(add(separated));
    }
    return all;
  }

 private:
  // With loops over `unrolled` inside of those of the tiles of tiles.
  static absl::StatusOr<Derivation> Tiled(const SketchContext& context,
                                          const Derivation& from,
                                          const std::vector<int>& unrolled) {
    const std::vector<int> tiled =
        LongAxes(from.dag().stage(from.stage), kMinTiledExtent);
    Derivation next = from;
    // Tiles of tiles: the inner ones are small and stay in registers, so that
    // the sampler's sizes suit them.
    const int rank = from.dag().stage(from.stage).SpatialRank();
    const std::vector<int> separate = FirstAxes(from);
    std::vector<int64_t> first, outer, untiled, middle, copies, inner;
    int position = 0;
    for (int axis = 0; axis < rank; ++axis) {
      if (absl::c_linear_search(unrolled, axis)) {
        copies.push_back(position++);
        continue;
      }
      if (!absl::c_linear_search(tiled, axis)) {
        const bool is_separate = absl::c_linear_search(separate, axis);
        // An innermost axis that is not tiled is the vector's.
        (axis + 1 == rank ? inner
         : is_separate    ? first
                          : untiled)
            .push_back(position++);
        continue;
      }
      RETURN_IF_ERROR(AppendTile(context,
                                 {.stage = from.stage,
                                  .iterator = position,
                                  .lengths = {0, 0},
                                  .tail = Tail::kGuard},
                                 {.is_vector_axis = axis == tiled.back()},
                                 next));
      outer.push_back(position++);
      middle.push_back(position++);
      inner.push_back(position++);
    }
    std::vector<int64_t> order;
    for (const auto& loops : {first, outer, untiled, middle, copies, inner})
      order.insert(order.end(), loops.begin(), loops.end());
    RETURN_IF_ERROR(
        Append(ReorderStep{.stage = from.stage, .order = order}, next));
    const size_t before =
        first.size() + outer.size() + untiled.size() + middle.size();
    for (size_t i = 0; i < copies.size(); ++i) {
      RETURN_IF_ERROR(Annotate(from.stage, static_cast<int>(before + i),
                               Annotation::kUnroll, next));
    }
    --next.stage;
    return next;
  }

  // Whether it reads anything that the sampler could compute in its tiles; what
  // has data reuse has tiles of its own.
  static bool HasProducer(const ComputeDag& dag, int stage) {
    const std::vector<int>& producers = dag.producers(stage);
    return absl::c_any_of(producers, [&](int producer) {
      const Stage& p = dag.stage(producer);
      return p.IsPlaceable() && !HasDataReuse(dag, producer);
    });
  }
};

}  // namespace

const SketchRule& StencilChainRule() {
  static const StencilChain kRule;
  return kRule;
}

}  // namespace pruner
