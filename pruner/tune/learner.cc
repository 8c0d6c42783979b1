#include "pruner/tune/learner.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/program/resolve.h"

namespace pruner {

void Learner::Add(uint64_t task, const ComputeDag& dag,
                  const Schedule& schedule, const MeasureResult& result) {
  ++trials_;
  if (const auto program = Resolve(dag, schedule, target_); program.ok()) {
    extractor_.Append(*program, target_, pending_);
    labels_.push_back(
        {.task = task,
         .seconds = result.ok() ? std::optional(Cost(result)) : std::nullopt});
  }
  if (trials_ < next_training_) return;
  // A training that was not made yet, as where a run goes on, may be left out.
  if (!model_.counts_updates()) due_.clear();
  due_.push_back(static_cast<int>(labels_.size()));
  const auto grown = static_cast<int64_t>(
      std::ceil(static_cast<double>(trials_) * (1 + options_.growth)));
  next_training_ =
      std::max(trials_ + 1, std::min(grown, trials_ + options_.max_new_trials));
}

absl::Status Learner::CatchUp(const CostModel::IsUnwanted& is_unwanted) {
  if (due_.empty()) return absl::OkStatus();
  const absl::Span<const ProgramLabel> labels(labels_);
  int begin = 0;
  for (const int end : due_) {
    RETURN_IF_ERROR(model_.Update(pending_.Slice(begin, end),
                                  labels.subspan(begin, end - begin),
                                  is_unwanted));
    begin = end;
  }
  labels_.erase(labels_.begin(), labels_.begin() + begin);
  pending_ = pending_.Slice(begin, pending_.num_programs());
  due_.clear();
  return absl::OkStatus();
}

}  // namespace pruner
