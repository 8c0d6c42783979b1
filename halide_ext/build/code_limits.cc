#include "halide_ext/build/code_limits.h"

#include <algorithm>
#include <cstdint>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "halide_ext/analyze/functions_of.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Statements in the code of a schedule, after unrolling: for each stage, and of
// all together. Code for any size has them twice, and with guards: LLVM takes a
// minute for some thousands, and so does Halide for five hundred in deep nests.
constexpr int64_t kCopiesPerStage = 16;
constexpr int64_t kCopies = 256;

// Stages in one stage's loops whose sizes Halide has to solve for, which takes
// it seconds for some and minutes for twenty (docs/autoscheduler.md).
constexpr int64_t kUnsizedStages = 4;

// Whether a reduction is over what is known at run time: of its copies each has
// a guard.
absl::StatusOr<bool> HasEstimatedReductions(const WorkloadPipeline& pipeline) {
  ASSIGN_OR_RETURN(const Halide::Pipeline plain, pipeline.ReferencePipeline());
  for (const auto& [name, function] : FunctionsOf(plain)) {
    for (const auto& update : function.updates()) {
      for (const auto& rvar : update.schedule().rvars()) {
        if (!Halide::Internal::is_const(rvar.extent)) return true;
      }
    }
  }
  return false;
}

}  // namespace

absl::Status LimitCode(const WorkloadPipeline& pipeline, TargetSpec& target) {
  Limits& limits = target.limits;
  if (target.backend == Backend::kHost) {
    limits.unsized_stages = kUnsizedStages;
  } else {
    // Kernels are compiled without guards where sizes are large, and copies are
    // what makes them fast.
    ASSIGN_OR_RETURN(const bool has_guards, HasEstimatedReductions(pipeline));
    if (!has_guards) return absl::OkStatus();
  }
  // Where there are so many stages, each has hardly more than one.
  const int64_t stages = pipeline.analyzed().dag.size();
  limits.program_statements = std::max(kCopies, 2 * stages);
  limits.statements_per_stage = kCopiesPerStage;
  return absl::OkStatus();
}

}  // namespace pruner
