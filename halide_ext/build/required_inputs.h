// What code that takes tensors of any size asks of its inputs.
#ifndef HALIDE_EXT_BUILD_REQUIRED_INPUTS_H_
#define HALIDE_EXT_BUILD_REQUIRED_INPUTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "Halide.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "halide_ext/analyze/regions.h"
#include "halide_ext/build/integer_code.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/partly_lowered.h"

namespace pruner {

// The bounds that Halide checks what a scheduled pipeline is called with
// against, without compiling it.
class RequiredInputs {
 public:
  // `target` is what the pipeline is scheduled for. Error: what Halide refuses.
  static absl::StatusOr<RequiredInputs> Of(
      const Halide::Pipeline& scheduled,
      const Halide::Target& target = Halide::get_host_target());
  // The same of what has been lowered so far.
  static RequiredInputs Of(const Halide::Pipeline& scheduled,
                           const PartlyLowered& lowered);

  // Names of the inputs, as Halide orders them, and behind these of the
  // outputs, of which others may read more than they are asked for.
  const std::vector<std::string>& names() const { return names_; }
  size_t num_inputs() const { return num_inputs_; }

  // The estimated region of an input, by its place in names(), whose bounds say
  // what is read of it, as with boundary conditions. None: they do not, or
  // nothing is estimated.
  std::optional<Region> RegionThatMatters(size_t input) const;

  // The estimates of numbers that are given at run time, by name, of which only
  // whole ones are known: others are rounded towards 0.
  const std::map<std::string, int64_t>& estimates() const { return estimates_; }

  // Regions in the order of names(), for outputs of these, where inputs are as
  // large as their estimates. `numbers` are given at run time; those that are
  // not among them have their estimates, or are 0. Nothing where bounds are no
  // arithmetic of these.
  std::vector<std::optional<Region>> For(
      absl::Span<const Region> outputs,
      const std::map<std::string, int64_t>& numbers = {});

 private:
  RequiredInputs() = default;

  // With inputs and the slots of their bounds; of those that Halide asks for
  // the suffix is ".required".
  void ForEachBound(const char* suffix,
                    absl::FunctionRef<void(size_t, int)> visit) const;

  std::vector<std::string> names_;
  std::vector<int> ranks_;
  size_t num_inputs_ = 0;
  std::map<std::string, int64_t> estimates_;
  // Sizes of inputs and outputs, and numbers, by the variable that holds them.
  std::map<std::string, int64_t> numbers_;
  IntegerCode code_;
  std::map<std::string, int> slots_;  // of these and of what follows
  std::set<size_t> matter_;  // inputs whose own bounds say what is read
  // What follows of them, in order: the slot, the code.
  std::vector<std::pair<int, int>> lets_;
};

// Of the pipeline's outputs, in order.
std::vector<Region> EstimatedOutputs(const WorkloadPipeline& pipeline);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_REQUIRED_INPUTS_H_
