// Whose schedules //tools/bench:schedules makes.
#ifndef TOOLS_BENCH_SCHEDULE_SUBJECTS_H_
#define TOOLS_BENCH_SCHEDULE_SUBJECTS_H_

#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "pruner/target/target_spec.h"

namespace pruner {

struct ScheduleSubject {
  std::string name;
  std::string text;  // for people
  Halide::Pipeline pipeline;
};

// conv: a convolution of 3x3 with bias and ReLU, 56x56, 64 to 64 channels;
// winograd_f4: the same by Winograd's minimal filtering in tiles of 4x4;
// stencils: a chain of 20 stencils of 3x3 over an image.
absl::StatusOr<std::vector<ScheduleSubject>> ScheduleSubjects(
    const TargetSpec& target);

}  // namespace pruner

#endif  // TOOLS_BENCH_SCHEDULE_SUBJECTS_H_
