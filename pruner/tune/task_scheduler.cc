#include "pruner/tune/task_scheduler.h"

#include <cstddef>
#include <optional>

#include "absl/log/check.h"
#include "absl/types/span.h"

namespace pruner {

size_t RoundRobinScheduler::Next(absl::Span<const TaskState> tasks) {
  std::optional<size_t> next;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].exhausted) continue;
    if (!next || tasks[i].trials < tasks[*next].trials) next = i;
  }
  CHECK(next.has_value()) << "all tasks are exhausted";
  return *next;
}

}  // namespace pruner
