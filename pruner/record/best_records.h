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

// A race times the best candidates of a run once more, next to each other, when
// the run is over: of these times none is luckier than the others. So they end
// what the trials before them said, whichever is less, and compete with the
// trials of later runs until the next race. Who has won so far and is timed
// again has the later time. Records of races are not counted.
struct WorkloadRecords {
  int64_t trials = 0;
  FailureCounts failures = {};  // only kinds that occurred
  std::optional<Failure> first_failure = std::nullopt;
  // Of the least Cost that counts, the earliest of several; none if all failed.
  std::optional<MeasureRecord> best = std::nullopt;
  // Of the last run's race of which one did not fail: the fastest, by its last
  // time.
  std::optional<MeasureRecord> race_winner = std::nullopt;
};

class BestRecords {
 public:
  BestRecords() = default;
  explicit BestRecords(absl::Span<const MeasureRecord> records);

  // In the order of the log.
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
