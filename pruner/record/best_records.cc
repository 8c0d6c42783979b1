#include "pruner/record/best_records.h"

#include <cstdint>

#include "absl/types/span.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/measure_record.h"

namespace pruner {

BestRecords::BestRecords(absl::Span<const MeasureRecord> records) {
  for (const MeasureRecord& record : records) Add(record);
}

void BestRecords::Add(const MeasureRecord& record) {
  WorkloadRecords& workload = workloads_[record.workload_hash];
  ++workload.trials;
  if (!record.result.ok()) {
    ++workload.failures[record.result.failure->kind];
  } else if (!workload.best ||
             Cost(record.result) < Cost(workload.best->result)) {
    workload.best = record;
  }
}

const WorkloadRecords& BestRecords::Of(uint64_t workload_hash) const {
  const auto found = workloads_.find(workload_hash);
  return found == workloads_.end() ? none_ : found->second;
}

}  // namespace pruner
