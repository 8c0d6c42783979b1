// What is timed again when a search is over: the fastest candidates in races,
// then others, whose second timings tell the noise.
#ifndef PRUNER_TUNE_TIMING_AGAIN_H_
#define PRUNER_TUNE_TIMING_AGAIN_H_

#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "pruner/record/best_records.h"
#include "pruner/record/fastest_records.h"
#include "pruner/record/measure_record.h"
#include "pruner/search/search_policy.h"
#include "pruner/tune/distinct_tasks.h"
#include "pruner/tune/final_race.h"
#include "pruner/tune/second_timings.h"

namespace pruner {

class TimingAgain {
 public:
  // Of each task's candidates so many; 0: none.
  TimingAgain(int race_candidates, int second_timings)
      : races_(race_candidates > 0),
        fastest_(static_cast<size_t>(race_candidates)),
        second_timings_(static_cast<size_t>(second_timings)) {}

  // All records, in the order of the log.
  void Add(const MeasureRecord& record);

  struct Tools {
    absl::Span<const DistinctTask> tasks;
    const BestRecords& best;  // of all records that were added
    // Times candidates of a task; their records are then added, here as well.
    absl::FunctionRef<absl::Status(size_t task, const std::vector<Proposal>&)>
        measure;
    absl::FunctionRef<bool()> interrupted;
    // Told before the candidates of a task are timed: of `count` tasks this is
    // the one at place `i`.
    absl::FunctionRef<void(size_t i, size_t count)> listener;
  };

  // Ends early if interrupted. Error: what `measure` reports.
  absl::Status Run(const Tools& tools) const;

 private:
  absl::Status RunRaces(absl::Span<const Race> races, bool run_offs,
                        const Tools& tools) const;
  absl::Status RunAllRaces(const Tools& tools) const;
  std::vector<Race> PlanSecondTimings(const Tools& tools) const;

  const bool races_;
  FastestRecords fastest_;
  SecondTimings second_timings_;
};

}  // namespace pruner

#endif  // PRUNER_TUNE_TIMING_AGAIN_H_
