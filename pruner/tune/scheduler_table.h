// The task schedulers by name, as --scheduler takes them.
#ifndef PRUNER_TUNE_SCHEDULER_TABLE_H_
#define PRUNER_TUNE_SCHEDULER_TABLE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/tune/gradient_scheduler.h"
#include "pruner/tune/objective.h"
#include "pruner/tune/task_scheduler.h"

namespace pruner {

struct SchedulerEntry {
  absl::string_view name;
  absl::string_view description;  // for --help
  // Options and objective are of those that go by gradients.
  std::unique_ptr<TaskScheduler> (*make)(const GradientOptions&,
                                         std::unique_ptr<const Objective>);
  // Whether it does.
  bool by_gradients = false;
};

inline constexpr char kRoundRobin[] = "round_robin";
inline constexpr char kDefaultScheduler[] = "gradient";

absl::Span<const SchedulerEntry> Schedulers();

// InvalidArgument, with the names there are, if there is no such scheduler.
absl::StatusOr<const SchedulerEntry*> FindScheduler(absl::string_view name);

}  // namespace pruner

#endif  // PRUNER_TUNE_SCHEDULER_TABLE_H_
