// What judges the candidates of a search: a draft model or a learned one.
#ifndef PRUNER_SEARCH_CANDIDATE_SCORER_H_
#define PRUNER_SEARCH_CANDIDATE_SCORER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/cost/cost_model.h"
#include "pruner/draft/draft_model.h"
#include "pruner/features/columns.h"
#include "pruner/features/feature_rows.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/sketch/candidate.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Not thread-safe.
class CandidateScorer {
 public:
  virtual ~CandidateScorer() = default;

  // A score for each repaired candidate, in order; higher is faster, finite.
  // Error: a bug in a rule, whose steps do not fit; a model that cannot go on.
  virtual absl::StatusOr<std::vector<double>> Score(
      ScheduleSpace& space, absl::Span<const Candidate> candidates) = 0;
};

// Both models and the target must outlive the scorers.
class DraftScorer : public CandidateScorer {
 public:
  DraftScorer(const DraftModel& model, const TargetSpec& target)
      : model_(model), target_(target) {}
  absl::StatusOr<std::vector<double>> Score(
      ScheduleSpace& space, absl::Span<const Candidate> candidates) override;

 private:
  const DraftModel& model_;
  const TargetSpec& target_;
};

class LearnedScorer : public CandidateScorer {
 public:
  // `columns` are what the model was trained on.
  LearnedScorer(CostModel& model, ColumnSet columns, const TargetSpec& target)
      : model_(model),
        extractor_(columns),
        target_(target),
        rows_(extractor_.NoRows()) {}
  absl::StatusOr<std::vector<double>> Score(
      ScheduleSpace& space, absl::Span<const Candidate> candidates) override;

 private:
  CostModel& model_;
  ColumnExtractor extractor_;
  const TargetSpec& target_;
  FeatureRows rows_;
};

}  // namespace pruner

#endif  // PRUNER_SEARCH_CANDIDATE_SCORER_H_
