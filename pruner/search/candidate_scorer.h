// What judges the candidates of a search: a draft model or a learned one.
#ifndef PRUNER_SEARCH_CANDIDATE_SCORER_H_
#define PRUNER_SEARCH_CANDIDATE_SCORER_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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

class LearnedScorer : public CandidateScorer {
 public:
  // `columns` are what the model was trained on.
  LearnedScorer(CostModel& model, ColumnSet columns, const TargetSpec& target)
      : model_(model),
        extractor_(columns),
        rows_(extractor_.NoRows()),
        pipe_([this, &target](const Program& program) {
          extractor_.Append(program, target, rows_);
          if (model_.is_elsewhere() && rows_.values.size() >= kBatch) Score();
        }) {}
  absl::Status Add(ScheduleSpace& space, const Candidate& candidate) override;
  absl::StatusOr<std::vector<double>> TakeScores() override;

 private:
  // Values that a model elsewhere is asked about at a time: as many bytes as
  // sockets hold, so that sending them does not wait for who reads them.
  static constexpr size_t kBatch = (size_t{128} << 10) / sizeof(float);

  // Has the rows scored, if there are any, on the thread where they are read
  // off.
  void Score();

  CostModel& model_;
  ColumnExtractor extractor_;
  FeatureRows rows_;
  absl::StatusOr<std::vector<double>> scores_ = std::vector<double>();
  ProgramPipe pipe_;  // which ends before what it writes to
};

}  // namespace pruner

#endif  // PRUNER_SEARCH_CANDIDATE_SCORER_H_
