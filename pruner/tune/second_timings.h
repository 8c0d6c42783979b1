// Which candidates are timed a second time when the search is over, so that the
// records say how much two timings of one candidate differ.
#ifndef PRUNER_TUNE_SECOND_TIMINGS_H_
#define PRUNER_TUNE_SECOND_TIMINGS_H_

#include <cstddef>
#include <map>
#include <vector>

#include "pruner/record/best_records.h"
#include "pruner/record/measure_record.h"
#include "pruner/search/search_policy.h"

namespace pruner {

class SecondTimings {
 public:
  // Of so many candidates of each workload; 0: of none, and nothing is kept.
  explicit SecondTimings(size_t count) : count_(count) {}

  // In the order of the log.
  void Add(const MeasureRecord& record);

  // What is still to be timed again: candidates that ran, their ranks as far
  // from each other as they can be, the fastest first.
  std::vector<Proposal> Of(const RecordKey& key) const;

 private:
  struct Trial {
    Proposal candidate;
    double seconds = 0;
    bool timed_again = false;
  };

  const size_t count_;
  std::map<RecordKey, std::vector<Trial>> trials_;
};

}  // namespace pruner

#endif  // PRUNER_TUNE_SECOND_TIMINGS_H_
