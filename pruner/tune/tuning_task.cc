#include "pruner/tune/tuning_task.h"

#include <algorithm>
#include <cstdint>

#include "pruner/dag/compute_dag.h"

namespace pruner {

int64_t TuningTask::StreamedBytes() const {
  if (measure_policy != MeasurePolicy::kMemory) return 0;
  int64_t sum = 0;
  for (const Stage& stage : workload.dag.stages()) {
    const auto& constants = workload.constants;
    if (std::find(constants.begin(), constants.end(), stage.name) ==
        constants.end()) {
      continue;
    }
    sum += stage.SpatialSize() * stage.ElementBytes();
  }
  return sum;
}

}  // namespace pruner
