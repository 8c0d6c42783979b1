#include "pruner/record/best_records.h"

#include <optional>

#include "absl/types/span.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/measure_record.h"

namespace pruner {

RecordKey RecordKeyOf(const MeasureRecord& record) {
  return {.workload = record.workload,
          .target = record.target,
          .measure_policy = record.measure_policy};
}

namespace {

void AddRace(const MeasureRecord& record, WorkloadRecords& same) {
  if (!record.result.ok()) return;
  const std::optional<MeasureRecord>& winner = same.race_winner;
  if (winner && winner->run == record.run &&
      winner->schedule != record.schedule &&
      Cost(winner->result) <= Cost(record.result)) {
    return;
  }
  same.race_winner = record;
  same.best = record;
}

}  // namespace

BestRecords::BestRecords(absl::Span<const MeasureRecord> records) {
  for (const MeasureRecord& record : records) Add(record);
}

void BestRecords::Add(const MeasureRecord& record) {
  WorkloadRecords& same = records_[RecordKeyOf(record)];
  if (record.race) {
    AddRace(record, same);
    return;
  }
  ++same.trials;
  if (!record.result.ok()) {
    ++same.failures[record.result.failure->kind];
    if (!same.first_failure) same.first_failure = record.result.failure;
  } else if (!same.best || Cost(record.result) < Cost(same.best->result)) {
    same.best = record;
  }
}

const WorkloadRecords& BestRecords::Of(const RecordKey& key) const {
  const auto found = records_.find(key);
  return found == records_.end() ? none_ : found->second;
}

}  // namespace pruner
