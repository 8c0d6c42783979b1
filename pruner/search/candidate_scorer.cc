#include "pruner/search/candidate_scorer.h"

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/program/program.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

absl::StatusOr<std::vector<double>> DraftScorer::Score(
    ScheduleSpace& space, absl::Span<const Candidate> candidates) {
  std::vector<double> scores;
  scores.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    ASSIGN_OR_RETURN(const Program* const program, space.ProgramOf(candidate));
    scores.push_back(model_.Score(*program, target_));
  }
  return scores;
}

absl::StatusOr<std::vector<double>> LearnedScorer::Score(
    ScheduleSpace& space, absl::Span<const Candidate> candidates) {
  rows_.Clear();
  for (const Candidate& candidate : candidates) {
    ASSIGN_OR_RETURN(const Program* const program, space.ProgramOf(candidate));
    extractor_.Append(*program, target_, rows_);
  }
  return model_.Predict(rows_);
}

}  // namespace pruner
