#include "pruner/tune/scheduler_table.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/text/find_named.h"
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
    {kRoundRobin, "all in turn", MakeRoundRobin},
    {kDefaultScheduler, "where a round promises the most for the network",
     MakeGradient, /*by_gradients=*/true},
};

}  // namespace

absl::Span<const SchedulerEntry> Schedulers() { return kSchedulers; }

absl::StatusOr<const SchedulerEntry*> FindScheduler(absl::string_view name) {
  return FindNamed(Schedulers(), "scheduler", name);
}

}  // namespace pruner
