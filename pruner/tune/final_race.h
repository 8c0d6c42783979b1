// Who takes part in the race at the end of a run (docs/algorithms.md A10).
//
// Where a machine's speed changes with its neighbours, the best trial of a task
// is its luckiest. So the fastest few candidates are timed again next to each
// other. The least of several times is lucky as well, so the first two are then
// timed once more: the lesser of these times is the task's. What disturbs the
// machine for a second or two slows all of a task's race: such races are run
// again.
#ifndef PRUNER_TUNE_FINAL_RACE_H_
#define PRUNER_TUNE_FINAL_RACE_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "pruner/record/best_records.h"
#include "pruner/record/fastest_records.h"
#include "pruner/record/measure_record.h"
#include "pruner/search/search_policy.h"
#include "pruner/tune/distinct_tasks.h"

namespace pruner {

// Luck makes no greater difference: what took more than so many times as long
// as another is slower.
inline constexpr double kMostLuck = 1.5;

// One task's race.
struct Race {
  size_t task = 0;                        // its place among the tasks
  std::vector<Proposal> candidates = {};  // the fastest first, at least one
  double seconds = 0;                     // what the best took before the race
};

// By slots: those tasks of each that may be its fastest. Of each its candidates
// in `fastest` that may be its best, and the winner of its race before.
std::vector<Race> PlanRaces(absl::Span<const DistinctTask> tasks,
                            const BestRecords& best,
                            const FastestRecords& fastest);

// When it is over: the two that were the fastest in it, by `fastest`, which
// knows their times; nobody, if it had one candidate.
std::vector<Proposal> PlanRunOff(const Race& race,
                                 absl::Span<const MeasureRecord> fastest);

// When all are over, by `best`, which knows them: those whose winner took far
// longer than the best had before. None if that is so of more than half of
// them, unless there are but one or two: then the machine has become slower, or
// the search was lucky, and again it would be no other.
std::vector<Race> DisturbedRaces(absl::Span<const Race> races,
                                 absl::Span<const DistinctTask> tasks,
                                 const BestRecords& best);

}  // namespace pruner

#endif  // PRUNER_TUNE_FINAL_RACE_H_
