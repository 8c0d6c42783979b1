// What a log says of each workload: its best record, and what failed.
#ifndef PRUNER_RECORD_BEST_RECORDS_H_
#define PRUNER_RECORD_BEST_RECORDS_H_

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/types/span.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/measure_record.h"
#include "pruner/target/target_key.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

// Records compare where all of this is equal.
struct RecordKey {
  WorkloadKey workload = {};
  TargetKey target = {};
  std::string measure_policy = kWarm;

  auto operator<=>(const RecordKey&) const = default;
};

RecordKey RecordKeyOf(const MeasureRecord& record);

using FailureCounts = std::map<FailureKind, int64_t>;

struct WorkloadRecords {
  int64_t trials = 0;
  FailureCounts failures = {};  // only kinds that occurred
  std::optional<Failure> first_failure = std::nullopt;
  // Of the least Cost, the earliest of several; none if all failed.
  std::optional<MeasureRecord> best = std::nullopt;
};

class BestRecords {
 public:
  BestRecords() = default;
  explicit BestRecords(absl::Span<const MeasureRecord> records);

  void Add(const MeasureRecord& record);

  // Nothing counted for a key without records.
  const WorkloadRecords& Of(const RecordKey& key) const;
  const std::map<RecordKey, WorkloadRecords>& all() const { return records_; }

 private:
  std::map<RecordKey, WorkloadRecords> records_;
  WorkloadRecords none_;
};

}  // namespace pruner

#endif  // PRUNER_RECORD_BEST_RECORDS_H_
