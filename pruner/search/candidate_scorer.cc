#include "pruner/search/candidate_scorer.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
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

LearnedScorer::Scale LearnedScorer::Scale::Of(absl::Span<const double> scores) {
  double sum = 0;
  for (const double score : scores) sum += score;
  const auto count = static_cast<double>(scores.size());
  const double mean = sum / count;
  double squares = 0;
  for (const double score : scores) squares += (score - mean) * (score - mean);
  const double deviation = std::sqrt(squares / count);
  return {.mean = mean, .deviation = deviation > 0 ? deviation : 1};
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
  const std::vector<double> drafted = std::exchange(drafted_, {});
  ASSIGN_OR_RETURN(std::vector<double> scores,
                   std::exchange(scores_, std::vector<double>()));
  if (second_.draft == nullptr || scores.empty()) return scores;
  if (!scales_) {
    scales_ =
        Scales{.learned = Scale::Of(scores), .drafted = Scale::Of(drafted)};
  }
  for (size_t i = 0; i < scores.size(); ++i) {
    scores[i] = scales_->learned.Of(scores[i]) +
                second_.weight * scales_->drafted.Of(drafted.at(i));
  }
  return scores;
}

}  // namespace pruner
