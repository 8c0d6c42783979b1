// The computations among the tasks of a run, each once, whoever gave it.
#ifndef PRUNER_TUNE_DISTINCT_TASKS_H_
#define PRUNER_TUNE_DISTINCT_TASKS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "pruner/record/best_records.h"
#include "pruner/target/target_key.h"
#include "pruner/tune/task_use.h"
#include "pruner/tune/tuning_task.h"

namespace pruner {

struct DistinctTask {
  const TuningTask* task = nullptr;  // the first of those that are equal
  RecordKey key = {};                // of its records
  // Of all of them. A task that shares no slot has its own.
  std::vector<TaskUse> uses = {};
};

struct DistinctTasks {
  std::vector<DistinctTask> tasks = {};
  std::vector<size_t> of_given = {};  // by task given: its place in `tasks`
};

// The tasks given must outlive the result.
DistinctTasks DistinctTasksOf(absl::Span<const TuningTask> given,
                              TargetKey target);

std::optional<double> BestSeconds(const DistinctTask& task,
                                  const BestRecords& records);

// What the slots' fastest candidates take together: the sum of their means,
// each times its weight; none until every slot has a candidate that ran.
std::optional<double> NetworkSeconds(absl::Span<const DistinctTask> tasks,
                                     const BestRecords& records);

}  // namespace pruner

#endif  // PRUNER_TUNE_DISTINCT_TASKS_H_
