#include "pruner/tune/distinct_tasks.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "absl/types/span.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/best_records.h"
#include "pruner/record/measure_record.h"
#include "pruner/target/target_key.h"
#include "pruner/tune/tuning_task.h"

namespace pruner {

DistinctTasks DistinctTasksOf(absl::Span<const TuningTask> given,
                              TargetKey target) {
  DistinctTasks distinct;
  std::map<RecordKey, size_t> places;
  std::map<int, int> slots;  // by TuningTask::slot
  int num_slots = 0;
  const auto slot_of = [&](const TuningTask& task) {
    if (task.slot < 0) return num_slots++;
    const auto [slot, is_new] = slots.emplace(task.slot, num_slots);
    if (is_new) ++num_slots;
    return slot->second;
  };
  for (const TuningTask& task : given) {
    const RecordKey key = RecordKeyOf(task, target);
    const auto [known, is_new] = places.emplace(key, distinct.tasks.size());
    distinct.of_given.push_back(known->second);
    if (is_new) distinct.tasks.push_back({.task = &task, .key = key});
    distinct.tasks[known->second].uses.push_back({.slot = slot_of(task),
                                                  .weight = task.weight,
                                                  .network = task.network});
  }
  return distinct;
}

std::optional<double> BestSeconds(const DistinctTask& task,
                                  const BestRecords& records) {
  const WorkloadRecords& found = records.Of(task.key);
  if (!found.best) return std::nullopt;
  return Cost(found.best->result);
}

std::optional<double> NetworkSeconds(absl::Span<const DistinctTask> tasks,
                                     const BestRecords& records) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  // The cost of the fastest, and what it adds.
  std::map<int, std::pair<double, double>> of_slot;
  for (const DistinctTask& task : tasks) {
    const std::optional<MeasureRecord>& best = records.Of(task.key).best;
    for (const TaskUse& use : task.uses) {
      auto& fastest =
          of_slot.try_emplace(use.slot, kNever, kNever).first->second;
      if (!best) continue;
      const double cost = use.weight * Cost(best->result);
      if (cost < fastest.first)
        fastest = {cost, use.weight * MeanSeconds(best->result)};
    }
  }
  double sum = 0;
  for (const auto& [slot, fastest] : of_slot) sum += fastest.second;
  if (sum == kNever) return std::nullopt;
  return sum;
}

}  // namespace pruner
