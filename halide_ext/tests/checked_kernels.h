// Runs kernels in memory that faults at its ends, on numbers that are easy to
// sum exactly, so that outputs can be compared for equality.
#ifndef HALIDE_EXT_TESTS_CHECKED_KERNELS_H_
#define HALIDE_EXT_TESTS_CHECKED_KERNELS_H_

#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "halide_ext/build/kernel.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// The sample target, compiled for whatever machine this is.
TargetSpec CheckedTarget();

// What the tensors hold that are no output.
std::vector<float> CheckedInput(const WorkloadPipeline& pipeline, int argument);

// All outputs, one after the other; not numbers where nothing was written.
absl::StatusOr<std::vector<float>> RunChecked(const WorkloadPipeline& pipeline,
                                              const Kernel& kernel);

// Expects that the schedules compile and compute what the reference does.
void CheckSchedules(const Halide::Pipeline& pipeline,
                    absl::Span<const Schedule> schedules,
                    const TargetSpec& target = CheckedTarget());

// The same for the default schedule, `samples` random ones and as many
// mutations of these.
void CheckSamples(const Halide::Pipeline& pipeline, int samples,
                  const TargetSpec& target = CheckedTarget());

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_CHECKED_KERNELS_H_
