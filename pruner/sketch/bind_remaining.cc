#include "pruner/sketch/bind_remaining.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/sketch/derivation_steps.h"

namespace pruner {
namespace {

bool NeedsBinding(const Derivation& derivation, int stage) {
  const Stage& s = derivation.dag().stage(stage);
  const StageState& state = derivation.state.stages[stage];
  if (s.kind != StageKind::kCompute || s.opaque || s.shape.empty() ||
      state.location != ComputeLocation::kRoot) {
    return false;
  }
  return !state.HasLoop(Annotation::kBlock);
}

// Cuts vectors off the innermost spatial axis, and makes them the innermost
// loop.
absl::Status CutVectors(int stage, Derivation& derivation) {
  const int axis = derivation.dag().stage(stage).SpatialRank() - 1;
  RETURN_IF_ERROR(AppendVectors(stage, axis, derivation));
  const int last =
      static_cast<int>(derivation.state.stages[stage].iterators.size()) - 1;
  if (last > axis + 1) {
    std::vector<int64_t> order(last + 1);
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin() + axis + 1, order.begin() + axis + 2,
                order.end());
    RETURN_IF_ERROR(Append(
        ReorderStep{.stage = stage, .order = std::move(order)}, derivation));
  }
  return Annotate(stage, last, Annotation::kVectorize, derivation);
}

absl::Status Bind(const SketchContext& context, int stage,
                  Derivation& derivation) {
  const int rank = derivation.dag().stage(stage).SpatialRank();
  if (context.target.limits.vectorize_elements > 1 &&
      derivation.dag().stage(stage).shape.back() % 2 == 0) {
    RETURN_IF_ERROR(CutVectors(stage, derivation));
  }
  return CutIntoBlocks(stage, rank, derivation);
}

}  // namespace

absl::Status BindRemaining(const SketchContext& context,
                           Derivation& derivation) {
  for (int stage = 0; stage < derivation.dag().size(); ++stage) {
    if (!NeedsBinding(derivation, stage)) continue;
    RETURN_IF_ERROR(Bind(context, stage, derivation));
  }
  return absl::OkStatus();
}

}  // namespace pruner
