// The fastest few trials of each workload.
#ifndef PRUNER_RECORD_FASTEST_RECORDS_H_
#define PRUNER_RECORD_FASTEST_RECORDS_H_

#include <cstddef>
#include <map>
#include <vector>

#include "absl/types/span.h"
#include "pruner/record/best_records.h"
#include "pruner/record/measure_record.h"

namespace pruner {

class FastestRecords {
 public:
  // Keeps so many of each workload.
  explicit FastestRecords(size_t count) : count_(count) {}

  // Passes over failures and records of races.
  void Add(const MeasureRecord& record);

  // Of distinct schedules, the least Cost first; of equal ones the earliest.
  absl::Span<const MeasureRecord> Of(const RecordKey& key) const;

 private:
  const size_t count_;
  std::map<RecordKey, std::vector<MeasureRecord>> fastest_;
};

}  // namespace pruner

#endif  // PRUNER_RECORD_FASTEST_RECORDS_H_
