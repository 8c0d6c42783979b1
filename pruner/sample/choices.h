// What a complete schedule decides beyond its sketch and its tile sizes, stage
// by stage: what mutations draw anew and crossover takes from either parent.
#ifndef PRUNER_SAMPLE_CHOICES_H_
#define PRUNER_SAMPLE_CHOICES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pruner/schedule/transform_step.h"

namespace pruner {

// What is empty is open: the sampler draws it, or does what is best in general.
struct StageChoices {
  // A ComputeAtStep, ComputeInlineStep or ComputeRootStep.
  std::optional<TransformStep> location;
  // How many of the outermost loops become the parallel one.
  std::optional<int> parallel_loops;
  std::optional<int64_t> auto_unroll;  // max_step

  bool operator==(const StageChoices&) const = default;
};

using Choices = std::vector<StageChoices>;  // by stage of the LoopState

// The choices of the steps from `first_step` on, which the sampler appended to
// a sketch; `num_stages` stages. Steps that no sampler makes are passed over.
Choices ChoicesOf(const Schedule& schedule, size_t first_step,
                  size_t num_stages);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_CHOICES_H_
