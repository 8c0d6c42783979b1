// Schedules for a network that has not been tuned.
#ifndef MODELS_RUNTIME_DEFAULT_SCHEDULES_H_
#define MODELS_RUNTIME_DEFAULT_SCHEDULES_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "models/ops/tasks.h"
#include "models/runtime/network.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// The schedule that each task starts its tuning with: a network that runs,
// though not fast.
absl::StatusOr<SchedulesByWorkload> DefaultSchedules(
    absl::Span<const NetworkTask> tasks, const TargetSpec& target);

}  // namespace pruner

#endif  // MODELS_RUNTIME_DEFAULT_SCHEDULES_H_
