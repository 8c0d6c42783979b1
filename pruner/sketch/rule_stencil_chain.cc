#include <algorithm>
#include <utility>
#include <vector>

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
// whose iterations read the same may be unrolled inside of that. Not in Ansor,
// whose tiles hold one producer with data reuse.
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
    std::vector<Derivation> all;
    ASSIGN_OR_RETURN(all.emplace_back(), Tiled(context, from, {}));
    const Stage& stage = from.dag().stage(from.stage);
    std::vector<int> unrolled = SharingAxes(from.dag(), from.stage);
    const std::vector<int> tiled = LongAxes(stage, kMinTiledExtent);
    // An innermost axis that is not tiled is the vector's.
    if (tiled.back() + 1 != stage.SpatialRank()) unrolled.clear();
    if (!unrolled.empty()) {
      ASSIGN_OR_RETURN(all.emplace_back(), Tiled(context, from, unrolled));
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
    std::vector<int64_t> outer, untiled, middle, copies, inner;
    int position = 0;
    for (int axis = 0; axis < rank; ++axis) {
      if (Contains(unrolled, axis)) {
        copies.push_back(position++);
        continue;
      }
      if (!Contains(tiled, axis)) {
        untiled.push_back(position++);
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
    // An innermost axis that is not tiled is the vector's.
    if (tiled.back() + 1 != rank) {
      inner.push_back(untiled.back());
      untiled.pop_back();
    }
    std::vector<int64_t> order;
    for (const auto& loops : {outer, untiled, middle, copies, inner})
      order.insert(order.end(), loops.begin(), loops.end());
    RETURN_IF_ERROR(
        Append(ReorderStep{.stage = from.stage, .order = order}, next));
    const size_t first = outer.size() + untiled.size() + middle.size();
    for (size_t i = 0; i < copies.size(); ++i) {
      RETURN_IF_ERROR(Annotate(from.stage, static_cast<int>(first + i),
                               Annotation::kUnroll, next));
    }
    --next.stage;
    return next;
  }

  static bool Contains(const std::vector<int>& axes, int axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
  }

  // Whether it reads anything that the sampler could compute in its tiles; what
  // has data reuse has tiles of its own.
  static bool HasProducer(const ComputeDag& dag, int stage) {
    const std::vector<int>& producers = dag.producers(stage);
    return std::any_of(producers.begin(), producers.end(), [&](int producer) {
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
