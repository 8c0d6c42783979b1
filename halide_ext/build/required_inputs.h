// What code that takes tensors of any size asks of its inputs.
#ifndef HALIDE_EXT_BUILD_REQUIRED_INPUTS_H_
#define HALIDE_EXT_BUILD_REQUIRED_INPUTS_H_

#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "halide_ext/analyze/regions.h"
#include "halide_ext/build/kernel.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Answers Halide's bounds queries of a scheduled pipeline, of which no more is
// compiled than that takes.
class RequiredInputs {
 public:
  // Inputs are the buffers that Halide infers, in its order; numbers have their
  // estimates, or are 0. Error: what Halide refuses.
  static absl::StatusOr<RequiredInputs> Of(const Halide::Pipeline& scheduled);

  // Regions of the inputs for outputs of these. Error: what the compiled code
  // reports.
  absl::StatusOr<std::vector<Region>> For(
      absl::Span<const Region> outputs) const;

 private:
  RequiredInputs() = default;

  Halide::Callable callable_;
  std::vector<Halide::Argument> inputs_;
  std::vector<Halide::Type> output_types_;
};

// Halide's bounds of a schedule may be wider than what is read, and whoever
// calls the code with inputs of the right size is refused then. Error,
// FAILED_PRECONDITION: of the estimated sizes or of some others, the schedule
// asks for more of an input than the pipeline without a schedule; names input
// and dimension.
absl::Status CheckAsksForNoMore(const WorkloadPipeline& pipeline,
                                const Schedule& schedule,
                                const TargetSpec& target);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_REQUIRED_INPUTS_H_
