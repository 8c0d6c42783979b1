#include "models/runtime/default_schedules.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pruner/sample/default_schedule.h"

namespace pruner {

absl::StatusOr<SchedulesByWorkload> DefaultSchedules(
    absl::Span<const NetworkTask> tasks, const TargetSpec& target) {
  SchedulesByWorkload schedules;
  for (const NetworkTask& task : tasks) {
    absl::StatusOr<Schedule> schedule =
        DefaultSchedule({.dag = task.workload.dag, .target = target});
    if (!schedule.ok()) {
      return absl::Status(
          schedule.status().code(),
          absl::StrCat(task.workload.name, ": ", schedule.status().message()));
    }
    schedules[task.workload.key] = *std::move(schedule);
  }
  return schedules;
}

}  // namespace pruner
