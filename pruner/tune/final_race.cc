#include "pruner/tune/final_race.h"

#include <algorithm>
#include <cstddef>
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

bool Contains(absl::Span<const Proposal> candidates,
              const MeasureRecord& record) {
  return std::any_of(candidates.begin(), candidates.end(),
                     [&](const Proposal& candidate) {
                       return candidate.schedule == record.schedule;
                     });
}

std::vector<Proposal> CandidatesOf(const WorkloadRecords& found,
                                   absl::Span<const MeasureRecord> fastest) {
  const double limit = kMostLuck * Cost(found.best->result);
  std::vector<Proposal> candidates;
  const auto add = [&](const MeasureRecord& record) {
    if (Cost(record.result) > limit || Contains(candidates, record)) return;
    candidates.push_back({.schedule = record.schedule, .genes = record.genes});
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
           .candidates = CandidatesOf(best.Of(key), fastest.Of(key)),
           .seconds = runner.seconds});
    }
  }
  return races;
}

std::vector<Proposal> PlanRunOff(const Race& race,
                                 absl::Span<const MeasureRecord> fastest) {
  constexpr size_t kFinalists = 2;
  std::vector<Proposal> finalists;
  if (race.candidates.size() < kFinalists) return finalists;
  for (const MeasureRecord& record : fastest) {
    if (finalists.size() == kFinalists) break;
    if (!Contains(race.candidates, record)) continue;
    finalists.push_back({.schedule = record.schedule, .genes = record.genes});
  }
  return finalists;
}

std::vector<Race> DisturbedRaces(absl::Span<const Race> races,
                                 absl::Span<const DistinctTask> tasks,
                                 const BestRecords& best) {
  // Between a search's luck and what disturbances cost.
  constexpr double kDisturbed = 1.2;
  // So few say nothing of the machine, and take no time.
  constexpr size_t kFew = 2;
  std::vector<Race> disturbed;
  for (const Race& race : races) {
    const std::optional<double> seconds = BestSeconds(tasks[race.task], best);
    if (seconds && *seconds > kDisturbed * race.seconds)
      disturbed.push_back(race);
  }
  if (races.size() > kFew && 2 * disturbed.size() > races.size())
    disturbed.clear();
  return disturbed;
}

}  // namespace pruner
