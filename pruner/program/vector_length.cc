#include "pruner/program/vector_length.h"

#include <algorithm>

#include "pruner/base/factors.h"

namespace pruner {

int64_t VectorLanes(const Stage& stage, const TargetSpec& target) {
  constexpr int64_t kFloatBytes = 4;
  const int64_t lanes =
      std::min(target.units.simd_lanes, target.limits.vectorize_elements);
  int64_t widest = 1;
  for (const ElementType type : stage.types)
    widest = std::max<int64_t>(widest, type.Bytes());
  return std::max<int64_t>(1, lanes * kFloatBytes / widest);
}

int64_t VectorWidth(int64_t extent, const TargetSpec& target) {
  int64_t width = 1;
  while (width * 2 <= target.units.simd_lanes && extent % (width * 2) == 0)
    width *= 2;
  return width;
}

VectorCut CutIntoVectors(int64_t extent, int64_t lanes, LastVector last,
                         bool is_masked) {
  VectorCut cut = {.length = std::min(extent, lanes)};
  while (extent % cut.length != 0) cut.length /= 2;
  if (extent > lanes && last != LastVector::kNone && cut.length * 2 < lanes)
    cut = {.length = lanes, .overlaps = last == LastVector::kOverlaps};
  if (is_masked && cut.length > 1 && cut.length % 2 != 0) ++cut.length;
  cut.vectors = CeilDiv(extent, cut.length);
  cut.overruns = !cut.overlaps && cut.vectors * cut.length > extent;
  return cut;
}

VectorCut CutIntoThreadVectors(int64_t extent, int64_t lanes, bool is_masked) {
  VectorCut cut;
  while (!is_masked && cut.length * 2 <= lanes &&
         extent % (cut.length * 2) == 0)
    cut.length *= 2;
  cut.vectors = extent / cut.length;
  return cut;
}

}  // namespace pruner
