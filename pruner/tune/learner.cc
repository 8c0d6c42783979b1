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
  due_ = static_cast<int64_t>(labels_.size());
  next_training_ = std::max(
      trials_ + 1, static_cast<int64_t>(std::ceil(static_cast<double>(trials_) *
                                                  (1 + options_.growth))));
}

absl::Status Learner::CatchUp() {
  if (due_ == 0) return absl::OkStatus();
  FeatureRows due = extractor_.NoRows(), rest = extractor_.NoRows();
  for (int i = 0; i < pending_.num_programs(); ++i)
    (i < due_ ? due : rest).Append(pending_.rows(i));
  const absl::Span<const ProgramLabel> labels(labels_);
  RETURN_IF_ERROR(model_.Update(due, labels.first(due_)));
  labels_.erase(labels_.begin(), labels_.begin() + due_);
  pending_ = std::move(rest);
  due_ = 0;
  return absl::OkStatus();
}

}  // namespace pruner
