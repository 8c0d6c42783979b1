#include "halide_ext/analyze/test_pipelines.h"

#include "absl/status/statusor.h"

namespace pruner {

void SetSizes(Halide::ImageParam& param, const std::vector<int>& sizes) {
  for (size_t d = 0; d < sizes.size(); ++d)
    param.dim(static_cast<int>(d)).set_bounds(0, sizes[d]);
}

std::string DagText(const Halide::Pipeline& pipeline, Sizes sizes) {
  const absl::StatusOr<AnalyzedPipeline> analyzed =
      AnalyzePipeline(pipeline, sizes);
  return analyzed.ok() ? analyzed->dag.ToString()
                       : std::string(analyzed.status().message());
}

std::string Notes(const AnalyzedPipeline& analyzed) {
  std::string text;
  for (const std::string& note : analyzed.notes) text += note + "\n";
  return text;
}

}  // namespace pruner
