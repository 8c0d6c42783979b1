#include "pruner/tune/unfinished_round.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "pruner/record/measure_record.h"
#include "pruner/search/search_policy.h"

namespace pruner {

UnfinishedRound::UnfinishedRound(std::vector<Trial>& trials, int64_t in_round)
    : task_(trials.back().task) {
  while (!trials.empty() && static_cast<int64_t>(unseen_.size()) < in_round &&
         trials.back().task == task_) {
    unseen_.push_back(trials.back().record);
    trials.pop_back();
  }
  std::reverse(unseen_.begin(), unseen_.end());
}

void UnfinishedRound::Match(
    std::vector<Proposal>& proposals,
    const std::function<void(const MeasureRecord&)>& see) {
  const size_t measured =
      std::erase_if(proposals, [&](const Proposal& proposal) {
        return std::any_of(unseen_.begin(), unseen_.end(),
                           [&](const MeasureRecord* record) {
                             return record->schedule == proposal.schedule;
                           });
      });
  const bool is_over = proposals.empty() && measured > 0;
  const auto seen = unseen_.begin() +
                    static_cast<ptrdiff_t>(is_over ? measured : unseen_.size());
  for (auto record = unseen_.begin(); record != seen; ++record) see(**record);
  unseen_.erase(unseen_.begin(), seen);
}

}  // namespace pruner
