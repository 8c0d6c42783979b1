#include "pruner/tune/second_timings.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "pruner/measure/measure_result.h"

namespace pruner {

void SecondTimings::Add(const MeasureRecord& record) {
  if (count_ == 0) return;
  std::vector<Trial>& trials = trials_[RecordKeyOf(record)];
  if (record.race) {
    // It was tried, whether it ran or not.
    const auto trial =
        std::find_if(trials.begin(), trials.end(), [&](const Trial& each) {
          return each.candidate.schedule == record.schedule;
        });
    if (trial != trials.end()) trial->timed_again = true;
  } else if (record.result.ok()) {
    trials.push_back(
        {.candidate = {.schedule = record.schedule, .genes = record.genes},
         .seconds = Cost(record.result)});
  }
}

std::vector<Proposal> SecondTimings::Of(const RecordKey& key) const {
  const auto found = trials_.find(key);
  if (found == trials_.end()) return {};
  std::vector<const Trial*> once;
  for (const Trial& trial : found->second) {
    if (!trial.timed_again) once.push_back(&trial);
  }
  const size_t done = found->second.size() - once.size();
  const size_t wanted = std::min(once.size(), count_ - std::min(count_, done));
  std::stable_sort(
      once.begin(), once.end(),
      [](const Trial* a, const Trial* b) { return a->seconds < b->seconds; });
  std::vector<Proposal> chosen;
  chosen.reserve(wanted);
  for (size_t i = 0; i < wanted; ++i) {
    const size_t rank = wanted == 1 ? 0 : i * (once.size() - 1) / (wanted - 1);
    chosen.push_back(once[rank]->candidate);
  }
  return chosen;
}

}  // namespace pruner
