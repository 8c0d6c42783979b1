// What a log says of each workload: its best record, and what failed.
#ifndef PRUNER_RECORD_BEST_RECORDS_H_
#define PRUNER_RECORD_BEST_RECORDS_H_

#include <cstdint>
#include <map>
#include <optional>

#include "absl/types/span.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/measure_record.h"

namespace pruner {

using FailureCounts = std::map<FailureKind, int64_t>;

struct WorkloadRecords {
  int64_t trials = 0;
  FailureCounts failures = {};  // only kinds that occurred
  // Of the least Cost, the earliest of several; none if all failed.
  std::optional<MeasureRecord> best = std::nullopt;
};

class BestRecords {
 public:
  BestRecords() = default;
  explicit BestRecords(absl::Span<const MeasureRecord> records);

  void Add(const MeasureRecord& record);

  // Nothing counted for a workload without records.
  const WorkloadRecords& Of(uint64_t workload_hash) const;
  // By workload hash.
  const std::map<uint64_t, WorkloadRecords>& workloads() const {
    return workloads_;
  }

 private:
  std::map<uint64_t, WorkloadRecords> workloads_;
  WorkloadRecords none_;
};

}  // namespace pruner

#endif  // PRUNER_RECORD_BEST_RECORDS_H_
