// What is tuned: one computation of a network.
#ifndef PRUNER_TUNE_TUNING_TASK_H_
#define PRUNER_TUNE_TUNING_TASK_H_

#include <cstdint>

#include "pruner/measure/measure_policy.h"
#include "pruner/workload/workload.h"

namespace pruner {

struct TuningTask {
  Workload workload;
  double weight = 1;  // how often the network computes it
  // Tasks of the same slot, if it is not negative, are ways to compute the same
  // thing: they have one weight, and the network takes the fastest.
  int slot = -1;
  // Records of others do not count.
  MeasurePolicy measure_policy = MeasurePolicy::kWarm;

  int64_t Flops() const { return workload.dag.Flops(); }
};

}  // namespace pruner

#endif  // PRUNER_TUNE_TUNING_TASK_H_
