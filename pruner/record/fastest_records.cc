#include "pruner/record/fastest_records.h"

#include <algorithm>
#include <vector>

#include "absl/types/span.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/best_records.h"
#include "pruner/record/measure_record.h"

namespace pruner {

void FastestRecords::Add(const MeasureRecord& record) {
  if (!record.result.ok()) return;
  std::vector<MeasureRecord>& fastest = fastest_[RecordKeyOf(record)];
  const double cost = Cost(record.result);
  std::erase_if(fastest, [&](const MeasureRecord& other) {
    return other.schedule == record.schedule;
  });
  const auto slower = std::find_if(
      fastest.begin(), fastest.end(),
      [&](const MeasureRecord& other) { return Cost(other.result) > cost; });
  fastest.insert(slower, record);
  if (fastest.size() > count_) fastest.pop_back();
}

absl::Span<const MeasureRecord> FastestRecords::Of(const RecordKey& key) const {
  const auto found = fastest_.find(key);
  if (found == fastest_.end()) return {};
  return found->second;
}

}  // namespace pruner
