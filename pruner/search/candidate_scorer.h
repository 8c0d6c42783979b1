// What judges the candidates of a search: a draft model or a learned one.
#ifndef PRUNER_SEARCH_CANDIDATE_SCORER_H_
#define PRUNER_SEARCH_CANDIDATE_SCORER_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/cost/cost_model.h"
#include "pruner/draft/draft_model.h"
#include "pruner/features/columns.h"
#include "pruner/features/feature_rows.h"
#include "pruner/program/program.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/search/program_pipe.h"
#include "pruner/sketch/candidate.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Candidates are handed over one by one, as they are made, and scored together.
// To be used from one thread.
class CandidateScorer {
 public:
  virtual ~CandidateScorer() = default;

  // Scores from here on need not compare with those before.
  virtual void Begin() {}

  // A repaired candidate of the space. It costs least right after it was drawn,
  // while the space still has its program. Error: a bug in a rule, whose steps
  // do not fit.
  virtual absl::Status Add(ScheduleSpace& space,
                           const Candidate& candidate) = 0;

  // The scores of those that were added since the last call, in order; higher
  // is faster, finite. Error: a model that cannot go on.
  virtual absl::StatusOr<std::vector<double>> TakeScores() = 0;
};

// Both models and the target must outlive the scorers.
class DraftScorer : public CandidateScorer {
 public:
  DraftScorer(const DraftModel& model, const TargetSpec& target)
      : pipe_([this, &model, &target](const Program& program) {
          scores_.push_back(model.Score(program, target));
        }) {}
  absl::Status Add(ScheduleSpace& space, const Candidate& candidate) override;
  absl::StatusOr<std::vector<double>> TakeScores() override;

 private:
  std::vector<double> scores_;
  ProgramPipe pipe_;  // which ends before what it writes to
};

// What a draft model says as well, and how much that counts: what is learned
// from few programs, or elsewhere, and what is known without any err in
// different ways (docs/search.md, "Learned models").
struct SecondOpinion {
  const DraftModel* draft = nullptr;  // null: there is none
  double weight = 0;                  // 1: as much as the learned model
};

class LearnedScorer : public CandidateScorer {
 public:
  // `columns` are what the model was trained on.
  LearnedScorer(CostModel& model, ColumnSet columns, const TargetSpec& target,
                const SecondOpinion& second = {})
      : model_(model),
        second_(second),
        extractor_(columns),
        rows_(extractor_.NoRows()),
        pipe_([this, &target](const Program& program) {
          extractor_.Append(program, target, rows_);
          if (second_.draft != nullptr) {
            drafted_.push_back(std::log2(
                std::max(second_.draft->Score(program, target), kLeastScore)));
          }
          if (model_.is_elsewhere() && rows_.values.size() >= kBatch) Score();
        }) {}
  void Begin() override { scales_.reset(); }
  absl::Status Add(ScheduleSpace& space, const Candidate& candidate) override;
  // With a second opinion scores have a mean of about 0 and a deviation of
  // about 1 among the first that are taken.
  absl::StatusOr<std::vector<double>> TakeScores() override;

 private:
  // Values that a model elsewhere is asked about at a time: as many bytes as
  // sockets hold, so that sending them does not wait for who reads them.
  static constexpr size_t kBatch = (size_t{128} << 10) / sizeof(float);

  // Of a draft model's, so that there is a logarithm.
  static constexpr double kLeastScore = 1e-30;

  // Mean and deviation of one model's scores.
  struct Scale {
    double mean, deviation;
    static Scale Of(absl::Span<const double> scores);
    double Of(double score) const { return (score - mean) / deviation; }
  };
  struct Scales {
    Scale learned, drafted;
  };

  // Has the rows scored, if there are any, on the thread where they are read
  // off.
  void Score();

  CostModel& model_;
  const SecondOpinion second_;
  // Of the first scores since Begin.
  std::optional<Scales> scales_;
  ColumnExtractor extractor_;
  FeatureRows rows_;
  absl::StatusOr<std::vector<double>> scores_ = std::vector<double>();
  std::vector<double> drafted_;  // as many, if there is a second opinion
  ProgramPipe pipe_;             // which ends before what it writes to
};

}  // namespace pruner

#endif  // PRUNER_SEARCH_CANDIDATE_SCORER_H_
