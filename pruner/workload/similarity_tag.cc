#include "pruner/workload/similarity_tag.h"

#include <cmath>

#include "absl/strings/str_cat.h"

namespace pruner {

std::string SimilarityTag(const ComputeDag& dag) {
  constexpr double kGoldenRatio = 1.618;
  std::string tag;
  for (const Stage& stage : dag.stages()) {
    if (!stage.HasReduction()) continue;
    absl::StrAppend(&tag, tag.empty() ? "" : "+",
                    ReductionKindName(stage.reduction), stage.SpatialRank(),
                    "x", stage.axes.size() - stage.shape.size());
  }
  if (tag.empty()) return tag;
  const auto work = static_cast<double>(dag.Flops() + dag.IntegerOps());
  return absl::StrCat(
      tag, ":", static_cast<int>(std::log(work + 1) / std::log(kGoldenRatio)));
}

}  // namespace pruner
