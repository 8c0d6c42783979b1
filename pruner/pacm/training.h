// Training of ranking networks (docs/algorithms.md B4).
#ifndef PRUNER_PACM_TRAINING_H_
#define PRUNER_PACM_TRAINING_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/cost/training_set.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/trained_network.h"
#include "pruner/pacm/training_options.h"

namespace pruner {

// What a network is to learn to rank.
struct RankedPrograms {
  const FeatureRows& programs;
  // One for each program, as TrainingSet has them.
  std::vector<float> labels = {};
  std::vector<int> tasks = {};

  explicit RankedPrograms(const TrainingSet& data)
      : programs(data.programs()), labels(data.Labels()), tasks(data.Tasks()) {}
};

enum class TrainingEnd {
  // Nothing was trained.
  kTooFewPrograms,
  kNothingToRank,  // all labels are equal: all failed, say
  // Trained.
  kLossStopped,
  kAllEpochs,
};

struct TrainingOutcome {
  TrainingEnd end = TrainingEnd::kTooFewPrograms;
  int epochs = 0;
  double loss = 0;  // the mean at the end

  bool trained() const {
    return end == TrainingEnd::kLossStopped || end == TrainingEnd::kAllEpochs;
  }
  // Such as "stopped after 31 epochs, loss 0.52".
  std::string ToString() const;
};

// Changes the weights of `model`, nothing else of it, so that it ranks the
// programs by their labels. The last weights stay, not the best. The same
// options, data, weights and `rng` give the same, bit by bit. Errors:
// CheckTrainingOptions's and CheckColumns's; other numbers of labels or of
// tasks than of programs: the weights are as they were; a loss that is not
// finite: they are useless.
absl::StatusOr<TrainingOutcome> Train(const TrainingOptions& options,
                                      const RankedPrograms& data, Rng rng,
                                      TrainedNetwork& model);

}  // namespace pruner

#endif  // PRUNER_PACM_TRAINING_H_
