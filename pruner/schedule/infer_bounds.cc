#include "pruner/schedule/infer_bounds.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "pruner/base/factors.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

void SetLoopExtents(StageState& stage) {
  for (Iterator& iterator : stage.iterators) {
    for (LoopPart& part : iterator.parts) {
      const int64_t needed =
          CeilDiv(stage.axis_extents[part.axis], part.stride);
      part.extent = std::min(part.extent, needed);
    }
    iterator.extent = iterator.ExtentOfParts();
  }
}

absl::Status CheckNoHoles(const StageState& stage) {
  for (const Iterator& iterator : stage.iterators) {
    if (iterator.extent == 0)
      return absl::InvalidArgumentError("a split still has a hole");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status InferBoundsOf(int i, Regions& regions, LoopState& state) {
  StageState& stage = state.stages[i];
  RETURN_IF_ERROR(CheckNoHoles(stage));
  if (stage.location == ComputeLocation::kAt) {
    if (!regions.ReadersAreInside(i, stage.at_stage, stage.at_iterator)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "stage '", state.dag->stage(i).name,
          "' is computed inside a loop that does not hold all its readers"));
    }
    stage.axis_extents = regions.Required(i, stage.at_stage, stage.at_iterator);
  }
  SetLoopExtents(stage);
  return absl::OkStatus();
}

absl::Status InferBounds(LoopState& state) {
  Regions regions(state);
  for (int i = state.dag->size() - 1; i >= 0; --i)
    RETURN_IF_ERROR(InferBoundsOf(i, regions, state));
  return absl::OkStatus();
}

}  // namespace pruner
