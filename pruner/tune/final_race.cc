#include "pruner/tune/final_race.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "absl/types/span.h"
#include "pruner/measure/measure_result.h"
#include "pruner/record/best_records.h"
#include "pruner/record/fastest_records.h"
#include "pruner/record/measure_record.h"
#include "pruner/search/search_policy.h"
#include "pruner/tune/distinct_tasks.h"

namespace pruner {
namespace {

struct Runner {
  size_t task = 0;
  double seconds = 0;
};

// By slot.
std::map<int, std::vector<Runner>> RunnersOf(
    absl::Span<const DistinctTask> tasks, const BestRecords& best) {
  std::map<int, std::vector<Runner>> runners;
  for (size_t i = 0; i < tasks.size(); ++i) {
    const std::optional<double> seconds = BestSeconds(tasks[i], best);
    if (!seconds) continue;
    for (const TaskUse& use : tasks[i].uses)
      runners[use.slot].push_back({.task = i, .seconds = *seconds});
  }
  return runners;
}

std::vector<Proposal> CandidatesOf(const WorkloadRecords& found,
                                   absl::Span<const MeasureRecord> fastest) {
  const double limit = kMostLuck * Cost(found.best->result);
  std::vector<Proposal> candidates;
  const auto add = [&](const MeasureRecord& record) {
    if (Cost(record.result) > limit) return;
    const Proposal candidate = {.schedule = record.schedule,
                                .genes = record.genes};
    const auto same = std::find_if(
        candidates.begin(), candidates.end(), [&](const Proposal& other) {
          return other.schedule == candidate.schedule;
        });
    if (same == candidates.end()) candidates.push_back(candidate);
  };
  for (const MeasureRecord& record : fastest) add(record);
  if (found.race_winner) add(*found.race_winner);
  return candidates;
}

}  // namespace

std::vector<Race> PlanRaces(absl::Span<const DistinctTask> tasks,
                            const BestRecords& best,
                            const FastestRecords& fastest) {
  std::vector<Race> races;
  std::set<size_t> planned;  // a task may be of several slots
  for (const auto& [slot, runners] : RunnersOf(tasks, best)) {
    const double least = std::min_element(runners.begin(), runners.end(),
                                          [](const Runner& a, const Runner& b) {
                                            return a.seconds < b.seconds;
                                          })
                             ->seconds;
    for (const Runner& runner : runners) {
      if (runner.seconds > kMostLuck * least) continue;
      if (!planned.insert(runner.task).second) continue;
      const RecordKey& key = tasks[runner.task].key;
      races.push_back(
          {.task = runner.task,
           .candidates = CandidatesOf(best.Of(key), fastest.Of(key))});
    }
  }
  return races;
}

}  // namespace pruner
