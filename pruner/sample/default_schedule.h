// The schedule that every tuning run measures first.
#ifndef PRUNER_SAMPLE_DEFAULT_SCHEDULE_H_
#define PRUNER_SAMPLE_DEFAULT_SCHEDULE_H_

#include "absl/status/statusor.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/sketch_rule.h"

namespace pruner {

// Parallel and vectorized (with threads: in blocks of threads, on the device),
// cheap stages inlined, and nothing more: what one would write without tuning.
// Needs no sketches.
absl::StatusOr<Schedule> DefaultSchedule(const SketchContext& context);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_DEFAULT_SCHEDULE_H_
