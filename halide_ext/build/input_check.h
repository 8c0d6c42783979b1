// Whether code for any size asks for more than the pipeline needs.
#ifndef HALIDE_EXT_BUILD_INPUT_CHECK_H_
#define HALIDE_EXT_BUILD_INPUT_CHECK_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "halide_ext/analyze/regions.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/required_inputs.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Halide's bounds of a schedule may be wider than what is read, and whoever
// calls the code with inputs of the right size is refused then.
class InputCheck {
 public:
  // `pipeline` must outlive it. Error: what Halide refuses.
  static absl::StatusOr<InputCheck> Create(const WorkloadPipeline& pipeline);

  // Error, FAILED_PRECONDITION: of the estimated sizes and numbers or of some
  // others, the schedule asks for more of an input or output than the pipeline
  // without a schedule; names it and the dimension.
  absl::Status Check(const Schedule& schedule, const TargetSpec& target) const;
  // The same of what a schedule asks for.
  absl::Status Check(RequiredInputs asked) const;

 private:
  struct Call {
    std::vector<Region> outputs;
    std::map<std::string, int64_t> numbers = {};
    // What may be asked for, in the order of RequiredInputs::names(). None:
    // anything.
    std::vector<std::optional<Region>> allowed = {};
  };

  explicit InputCheck(const WorkloadPipeline& pipeline)
      : pipeline_(&pipeline) {}

  static std::vector<Call> Calls(const std::vector<Region>& estimated,
                                 const std::map<std::string, int64_t>& numbers);
  static void Allow(RequiredInputs& needed, Call& call);

  const WorkloadPipeline* pipeline_;
  std::vector<Call> calls_;
};

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_INPUT_CHECK_H_
