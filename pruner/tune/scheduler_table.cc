#include "pruner/tune/scheduler_table.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/tune/gradient_scheduler.h"
#include "pruner/tune/objective.h"
#include "pruner/tune/task_scheduler.h"

namespace pruner {
namespace {

using MadeScheduler = std::unique_ptr<TaskScheduler>;

MadeScheduler MakeRoundRobin(const GradientOptions& /*options*/,
                             std::unique_ptr<const Objective> /*objective*/) {
  return std::make_unique<RoundRobinScheduler>();
}

MadeScheduler MakeGradient(const GradientOptions& options,
                           std::unique_ptr<const Objective> objective) {
  return std::make_unique<GradientScheduler>(options, std::move(objective));
}

constexpr SchedulerEntry kSchedulers[] = {
    {kDefaultScheduler, "all in turn", MakeRoundRobin},
    {"gradient", "where a round promises the most for the network",
     MakeGradient, /*by_gradients=*/true},
};

}  // namespace

absl::Span<const SchedulerEntry> Schedulers() { return kSchedulers; }

absl::StatusOr<const SchedulerEntry*> FindScheduler(absl::string_view name) {
  for (const SchedulerEntry& scheduler : kSchedulers) {
    if (scheduler.name == name) return &scheduler;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no scheduler '", name, "'; --scheduler is one of ",
      absl::StrJoin(kSchedulers, ", ",
                    [](std::string* out, const SchedulerEntry& scheduler) {
                      out->append(scheduler.name);
                    })));
}

}  // namespace pruner
