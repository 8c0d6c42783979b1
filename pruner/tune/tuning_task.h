// What is tuned: one computation of a network.
#ifndef PRUNER_TUNE_TUNING_TASK_H_
#define PRUNER_TUNE_TUNING_TASK_H_

#include <cstdint>
#include <string>

#include "pruner/measure/measure_policy.h"
#include "pruner/record/best_records.h"
#include "pruner/sketch/sketch_rule.h"
#include "pruner/target/target_key.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload.h"

namespace pruner {

struct TuningTask {
  Workload workload;
  double weight = 1;  // how often the network computes it
  // Tasks of the same slot, if it is not negative, are ways to compute the same
  // thing: they have one weight, and the network takes the fastest.
  int slot = -1;
  int network = 0;  // that computes it, of several
  // Records of others do not count.
  MeasurePolicy measure_policy = MeasurePolicy::kWarm;

  int64_t Flops() const { return workload.dag.Flops(); }
  // Of the constants that a run reads from memory, because others were used
  // since the last one.
  int64_t StreamedBytes() const;
};

// What spaces of its schedules are made of; refers to both.
inline SketchContext ContextOf(const TuningTask& task,
                               const TargetSpec& target) {
  SketchContext context = {.dag = task.workload.dag, .target = target};
  if (task.measure_policy != MeasurePolicy::kWarm)
    context.cold_inputs = task.workload.constants;
  return context;
}

// Of the records that count for the task.
inline RecordKey RecordKeyOf(const TuningTask& task, TargetKey target) {
  return {
      .workload = task.workload.key,
      .target = target,
      .measure_policy = std::string(MeasurePolicyName(task.measure_policy))};
}

}  // namespace pruner

#endif  // PRUNER_TUNE_TUNING_TASK_H_
