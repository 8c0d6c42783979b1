// The round in the middle of which an earlier run ended.
#ifndef PRUNER_TUNE_UNFINISHED_ROUND_H_
#define PRUNER_TUNE_UNFINISHED_ROUND_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "pruner/record/measure_record.h"
#include "pruner/search/search_policy.h"

namespace pruner {

// Refers to records of a log, which must outlive it.
class UnfinishedRound {
 public:
  // A trial, and of which task it is.
  struct Trial {
    size_t task = 0;
    const MeasureRecord* record = nullptr;
  };

  UnfinishedRound() = default;
  // Takes the last of the log's trials: those of one task, in a row, at most
  // `in_round` of them, by how many trials are more than whole rounds.
  UnfinishedRound(std::vector<Trial>& trials, int64_t in_round);

  // The task of the last trial of the log.
  size_t task() const { return task_; }
  // Trials that the search has not seen yet.
  size_t num_unseen() const { return unseen_.size(); }

  // Takes what was measured out of the proposals that the search made anew, in
  // its place. Those trials that it may see now are handed to `see`: all, if
  // something is left to be measured; else as many as were found, because the
  // search may go on to propose the others.
  void Match(std::vector<Proposal>& proposals,
             const std::function<void(const MeasureRecord&)>& see);

 private:
  size_t task_ = 0;
  std::vector<const MeasureRecord*> unseen_;  // in the log's order
};

}  // namespace pruner

#endif  // PRUNER_TUNE_UNFINISHED_ROUND_H_
