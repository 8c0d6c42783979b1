#include "pruner/sketch/bind_remaining.h"

#include <algorithm>

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
  return std::none_of(state.iterators.begin(), state.iterators.end(),
                      [](const Iterator& iterator) {
                        return iterator.annotation == Annotation::kBlock;
                      });
}

absl::Status Bind(int stage, Derivation& derivation) {
  const int rank = derivation.dag().stage(stage).SpatialRank();
  if (rank > 1) {
    RETURN_IF_ERROR(Append(
        FuseStep{.stage = stage, .iterator = 0, .count = rank}, derivation));
  }
  RETURN_IF_ERROR(Append(
      SplitStep{.stage = stage, .iterator = 0, .lengths = {0}}, derivation));
  RETURN_IF_ERROR(Append(
      AnnotateStep{
          .stage = stage, .iterator = 0, .annotation = Annotation::kBlock},
      derivation));
  return Append(
      AnnotateStep{
          .stage = stage, .iterator = 1, .annotation = Annotation::kThread},
      derivation);
}

}  // namespace

absl::Status BindRemaining(const SketchContext& context,
                           Derivation& derivation) {
  if (!context.target.HasThreads()) return absl::OkStatus();
  for (int stage = 0; stage < derivation.dag().size(); ++stage) {
    if (!NeedsBinding(derivation, stage)) continue;
    RETURN_IF_ERROR(Bind(stage, derivation));
  }
  return absl::OkStatus();
}

}  // namespace pruner
