#include "pruner/search/candidate_scorer.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/base/status_macros.h"
#include "pruner/program/program.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

absl::Status DraftScorer::Add(ScheduleSpace& space,
                              const Candidate& candidate) {
  ASSIGN_OR_RETURN(const Program* const program, space.ProgramOf(candidate));
  pipe_.Add(*program);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<double>> DraftScorer::TakeScores() {
  pipe_.Drain();
  return std::exchange(scores_, {});
}

absl::Status LearnedScorer::Add(ScheduleSpace& space,
                                const Candidate& candidate) {
  ASSIGN_OR_RETURN(const Program* const program, space.ProgramOf(candidate));
  pipe_.Add(*program);
  return absl::OkStatus();
}

void LearnedScorer::Score() {
  if (!scores_.ok() || rows_.num_programs() == 0) return;
  absl::StatusOr<std::vector<double>> scores = model_.Predict(rows_);
  rows_.Clear();
  if (scores.ok()) {
    scores_->insert(scores_->end(), scores->begin(), scores->end());
  } else {
    scores_ = std::move(scores);
  }
}

absl::StatusOr<std::vector<double>> LearnedScorer::TakeScores() {
  pipe_.Drain();
  Score();
  return std::exchange(scores_, std::vector<double>());
}

}  // namespace pruner
