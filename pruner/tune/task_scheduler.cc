#include "pruner/tune/task_scheduler.h"

#include <cstddef>
#include <map>
#include <optional>

#include "pruner/tune/slot_state.h"
#include "pruner/tune/task_state.h"

namespace pruner {

std::optional<size_t> RoundRobinScheduler::Next(const TuningState& state) {
  const std::map<int, SlotState> slots =
      SlotsOf(state.tasks, /*peak_flops_per_second=*/0);
  const SlotState* first = nullptr;
  for (const auto& [id, slot] : slots) {
    if (slot.next && (first == nullptr || slot.trials < first->trials))
      first = &slot;
  }
  return first == nullptr ? std::nullopt : first->next;
}

}  // namespace pruner
