#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// A copied element that is read less often than this is not worth its copy.
constexpr int64_t kMinReads = 16;

// How a stage is copied for one reader.
struct Packing {
  int reader = 0;
  std::vector<int64_t> order;  // of the copy's storage
  int vector = 0;              // the dimension along the reader's vectors
  int contiguous = 0;          // the dimension along memory in the original
};

// The axis along which the reader's tiles are vectorized.
int VectorAxis(const Stage& reader) {
  int axis = reader.SpatialRank() - 1;
  while (axis > 0 && reader.axes[axis].extent == 1) --axis;
  return axis;
}

// By dimension, the reader's axis that is its index; -1 for a constant. nullopt
// if some index is more than that, or the reader reads several elements.
std::optional<std::vector<int>> AxesOfDimensions(const Stage& reader,
                                                 int stage) {
  const Access* only = nullptr;
  for (const Access& access : reader.reads) {
    if (access.stage != stage) continue;
    if (only != nullptr || access.by_initialization) return std::nullopt;
    only = &access;
  }
  std::vector<int> axes;
  for (const IndexExpr& index : only->indices) {
    if (index.terms.empty() && !index.opaque) {
      axes.push_back(-1);
      continue;
    }
    const std::optional<int> axis = ShiftedAxis(index);
    if (!axis || std::find(axes.begin(), axes.end(), *axis) != axes.end())
      return std::nullopt;
    axes.push_back(*axis);
  }
  return axes;
}

// How often the reader reads the same element while only axes change by which
// it does not select it.
int64_t ReadsOfAnElement(const Stage& reader, const std::vector<int>& axes) {
  int64_t reads = 1;
  for (int axis = 0; axis < reader.SpatialRank(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end())
      reads *= reader.axes[axis].extent;
  }
  return reads;
}

// The dimensions in the order of the reader's innermost loops: its vectors,
// then the reduction, then whatever else.
std::vector<int64_t> OrderOfLoops(const Stage& reader,
                                  const std::vector<int>& axes, int vector) {
  std::vector<int64_t> order(axes.size());
  for (size_t d = 0; d < order.size(); ++d) order[d] = static_cast<int64_t>(d);
  const auto rank = [&](int64_t dimension) {
    if (dimension == vector) return static_cast<int>(reader.axes.size());
    return std::max(axes[dimension], 0);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return rank(a) < rank(b); });
  return order;
}

std::optional<Packing> PackingFor(const Derivation& from, int reader) {
  const Stage& stage = from.dag().stage(from.stage);
  const Stage& r = from.dag().stage(reader);
  const std::optional<std::vector<int>> axes = AxesOfDimensions(r, from.stage);
  if (!axes || r.SpatialRank() == 0 || ReadsOfAnElement(r, *axes) < kMinReads)
    return std::nullopt;
  const auto vector = std::find(axes->begin(), axes->end(), VectorAxis(r));
  if (vector == axes->end()) return std::nullopt;
  Packing packing = {.reader = reader,
                     .order = {},
                     .vector = static_cast<int>(vector - axes->begin()),
                     .contiguous = static_cast<int>(stage.shape.size()) - 1};
  while (packing.contiguous > packing.vector &&
         stage.shape[packing.contiguous] == 1) {
    --packing.contiguous;
  }
  // Vectors are loaded whole already. That a panel then lies together gains
  // nothing that a copy would not cost (docs/formulations.md).
  if (packing.contiguous == packing.vector) return std::nullopt;
  packing.order = OrderOfLoops(r, *axes, packing.vector);
  return packing;
}

// The first tiled reduction that gains by a copy in the order of its loops, and
// reads no other already.
std::optional<Packing> FindPacking(const Derivation& from) {
  for (int reader : from.dag().consumers(from.stage)) {
    const auto splits = from.spatial_splits.find(reader);
    if (splits == from.spatial_splits.end() ||
        !from.dag().stage(reader).HasReduction()) {
      continue;
    }
    const std::vector<int>& read = from.dag().producers(reader);
    const bool has_packed = std::any_of(
        read.begin(), read.end(),
        [&](int producer) { return from.state.stages[producer].IsPacked(); });
    if (has_packed) continue;
    if (std::optional<Packing> packing = PackingFor(from, reader))
      return packing;
  }
  return std::nullopt;
}

// Copies an input, or a stage without data reuse, so that a reduction finds
// what it reads along its vectors in the order of its loops instead of strided
// (docs/algorithms.md A6, "insert transform stage"). Where the copy is made is
// left open. The state without it is derived as well.
class Pack : public SketchRule {
 public:
  absl::string_view Name() const override { return "pack"; }
  bool DecidesInputs() const override { return true; }

  RuleMatch Match(const SketchContext&, const Derivation& from) const override {
    const Stage& stage = from.dag().stage(from.stage);
    const bool can = !stage.opaque && stage.shape.size() > 1 &&
                     !HasDataReuse(from.dag(), from.stage);
    return can && FindPacking(from) ? RuleMatch::kApply : RuleMatch::kNo;
  }

  // Goes on with the stage itself, which the copy reads now.
  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const override {
    const Packing packing = *FindPacking(from);
    Derivation next = from;
    RETURN_IF_ERROR(Append(
        CacheReadStep{.stage = from.stage, .readers = {packing.reader}}, next));
    const int copy = from.stage + 1;
    RETURN_IF_ERROR(
        Append(StorageOrderStep{.stage = copy, .order = packing.order}, next));
    RETURN_IF_ERROR(TileCopy(context, copy, packing, next));
    LeaveLocationOpen(copy, next);
    return std::vector<Derivation>{next};
  }

 private:
  // Loops in the order of storage, but through squares of a vector and a cache
  // line, lest each line be fetched for one element.
  static absl::Status TileCopy(const SketchContext& context, int copy,
                               const Packing& packing, Derivation& derivation) {
    const Stage& stage = derivation.dag().stage(copy);
    std::vector<int64_t> position(stage.shape.size());
    std::vector<int64_t> inner(stage.shape.size(), -1);
    int64_t loops = 0;
    for (int d = 0; d < stage.SpatialRank(); ++d) {
      position[d] = loops++;
      const int64_t length =
          d == packing.vector ? context.target.units.simd_lanes
          : d == packing.contiguous
              ? context.target.l1.line_bytes / stage.ElementBytes()
              : 0;
      if (length <= 1 || length >= stage.shape[d]) continue;
      RETURN_IF_ERROR(
          Append(SplitStep{.stage = copy,
                           .iterator = static_cast<int>(position[d]),
                           .lengths = {length},
                           .tail = Tail::kShiftInwards},
                 derivation));
      inner[d] = loops++;
    }
    std::vector<int64_t> order;
    for (int64_t d : packing.order) order.push_back(position[d]);
    for (int d : {packing.contiguous, packing.vector}) {
      if (inner[d] >= 0) order.push_back(inner[d]);
    }
    return Append(ReorderStep{.stage = copy, .order = order}, derivation);
  }
};

}  // namespace

const SketchRule& PackRule() {
  static const Pack kRule;
  return kRule;
}

}  // namespace pruner
