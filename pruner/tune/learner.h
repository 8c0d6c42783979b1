// Learner: trains the cost model that the searches of all tasks share, on what
// was measured.
#ifndef PRUNER_TUNE_LEARNER_H_
#define PRUNER_TUNE_LEARNER_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "pruner/cost/cost_model.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/features/columns.h"
#include "pruner/features/feature_rows.h"
#include "pruner/measure/measure_result.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"

namespace pruner {

struct LearnerOptions {
  // Trials, of all tasks, of which the first model is made; and by which share
  // they grow until the next one is, but by no more than `max_new_trials`, for
  // these are in memory. So which trials a model has seen depends
  // on their number alone, and a run that was interrupted goes on with the
  // model that it would have had.
  int64_t first_training = 32;
  double growth = 0.4;
  int64_t max_new_trials = 2000;
};

// Not thread-safe.
class Learner {
 public:
  // All of it must outlive the learner; nobody else trains the model.
  Learner(CostModel& model, ColumnSet columns, const TargetSpec& target,
          const LearnerOptions& options = {})
      : model_(model),
        extractor_(columns),
        target_(target),
        options_(options),
        pending_(extractor_.NoRows()),
        next_training_(options.first_training) {}

  // A trial, in the order of the log. `task`: times of one number compare. A
  // schedule that does not fit the DAG any more teaches nothing.
  void Add(uint64_t task, const ComputeDag& dag, const Schedule& schedule,
           const MeasureResult& result);

  // Trains the model if it is time to. Errors: the model cannot go on, or, if
  // it is Cancelled, is not wanted to.
  absl::Status CatchUp(const CostModel::IsUnwanted& is_unwanted = {});

 private:
  CostModel& model_;
  ColumnExtractor extractor_;
  const TargetSpec& target_;
  const LearnerOptions options_;
  // What the model has not seen.
  FeatureRows pending_;
  std::vector<ProgramLabel> labels_;
  int64_t trials_ = 0;  // all of them
  int64_t next_training_;
  // Of pending_, how many there were when it was time to train.
  std::vector<int> due_;
};

}  // namespace pruner

#endif  // PRUNER_TUNE_LEARNER_H_
