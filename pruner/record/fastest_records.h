// The fastest few schedules of each workload, to be timed again.
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

  // In the order of the log. A schedule counts by the last time that it ran:
  // one that was lucky is not known by that any more when it was timed again.
  void Add(const MeasureRecord& record);

  // The least Cost first; of equal ones the earliest.
  absl::Span<const MeasureRecord> Of(const RecordKey& key) const;

 private:
  const size_t count_;
  std::map<RecordKey, std::vector<MeasureRecord>> fastest_;
};

}  // namespace pruner

#endif  // PRUNER_RECORD_FASTEST_RECORDS_H_
