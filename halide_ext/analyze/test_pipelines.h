// What tests of the analysis make pipelines of, and what they look at.
#ifndef HALIDE_EXT_ANALYZE_TEST_PIPELINES_H_
#define HALIDE_EXT_ANALYZE_TEST_PIPELINES_H_

#include <string>
#include <vector>

#include "Halide.h"
#include "halide_ext/analyze/analyze.h"
#include "halide_ext/analyze/definitions.h"

namespace pruner {

// Bounds an input to these, innermost first.
void SetSizes(Halide::ImageParam& param, const std::vector<int>& sizes);

// The pipeline's DAG, or why there is none.
std::string DagText(const Halide::Pipeline& pipeline,
                    Sizes sizes = Sizes::kExact);

// What users are told of it, each in a line.
std::string Notes(const AnalyzedPipeline& analyzed);

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_TEST_PIPELINES_H_
