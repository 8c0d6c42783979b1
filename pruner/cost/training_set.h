// What was measured, as data to learn from: features and relative speeds of all
// tasks together.
#ifndef PRUNER_COST_TRAINING_SET_H_
#define PRUNER_COST_TRAINING_SET_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"

namespace pruner {

// A program's label is the least seconds of its task over its own (Ansor §5.2),
// in (0, 1]; 0 if it failed, as a cost of 1e10 s gives it in Ansor's
// implementation. So all labels of a task shrink when it gets a new best
// program.
class TrainingSet {
 public:
  // Errors: another number of labels than programs, other columns than before,
  // a feature that is not finite, seconds that are not positive and finite.
  // Nothing is added then.
  absl::Status Add(const FeatureRows& programs,
                   absl::Span<const ProgramLabel> labels);

  const FeatureRows& programs() const { return programs_; }
  int num_tasks() const { return static_cast<int>(tasks_.size()); }

  // By program, as of now.
  std::vector<float> Labels() const;
  // By program, its task's place among the tasks as they came.
  std::vector<int> Tasks() const;

 private:
  FeatureRows programs_;
  std::vector<ProgramLabel> labels_;
  struct TaskBest {
    int place;
    double seconds;  // infinity while all of its programs have failed
  };
  absl::flat_hash_map<uint64_t, TaskBest> tasks_;
};

}  // namespace pruner

#endif  // PRUNER_COST_TRAINING_SET_H_
