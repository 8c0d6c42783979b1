// From a schedule's steps to Halide's scheduling directives
// (docs/algorithms.md E2).
#ifndef HALIDE_EXT_LOWER_LOWER_H_
#define HALIDE_EXT_LOWER_LOWER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "halide_ext/analyze/analyze.h"
#include "halide_ext/lower/directive.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// Loops of extent 1 are left out. A vectorized loop longer than `vector_lanes`
// becomes a vector loop inside an unrolled one. The initialization of a
// reduction, which a schedule does not speak of, is vectorized along its
// innermost axis. Error: a schedule that does not fit the pipeline.
absl::StatusOr<std::vector<Directive>> LowerSchedule(
    const Schedule& schedule, const AnalyzedPipeline& pipeline,
    int vector_lanes);

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_LOWER_H_
