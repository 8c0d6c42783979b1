// From a Program to Halide's scheduling directives (docs/algorithms.md E2).
#ifndef HALIDE_EXT_LOWER_LOWER_H_
#define HALIDE_EXT_LOWER_LOWER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "halide_ext/analyze/analyze.h"
#include "halide_ext/lower/directive.h"
#include "pruner/program/program.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// The directives that make Halide run `program`, which `schedule` resolves to;
// takes no decision of its own. `pipeline`'s DAG is the task's. Where its sizes
// are estimates the program is that of the estimated ones, and the directives
// are right for others (any_size.h).
std::vector<Directive> LowerProgram(const Program& program,
                                    const Schedule& schedule,
                                    const AnalyzedPipeline& pipeline);

// What directives are right for, where sizes are estimates.
enum class OutputSizes {
  kAny,
  // Those for which stages are specialized (LargeOutputs), the estimated ones
  // among them; smaller ones are an error. What is said of large outputs is the
  // same. Guards for the others are most of the code: a local Laplacian filter
  // takes 40 s to compile with them, and 6 without.
  kLarge,
};

// The same of a schedule. Error: it does not fit the pipeline.
absl::StatusOr<std::vector<Directive>> LowerSchedule(
    const Schedule& schedule, const AnalyzedPipeline& pipeline,
    const TargetSpec& target, OutputSizes outputs = OutputSizes::kAny);

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_LOWER_H_
