// MoA: a network from another platform that adapts to this one while tuning
// (docs/algorithms.md B5).
#ifndef PRUNER_PACM_MOMENTUM_ADAPTION_H_
#define PRUNER_PACM_MOMENTUM_ADAPTION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/cost/cost_model.h"
#include "pruner/cost/training_set.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_model.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/trained_network.h"
#include "pruner/pacm/training.h"

namespace pruner {

class RankingNetwork;

// Each parameter of `to` becomes momentum * itself + (1 - momentum) * that of
// `from`, a network of the same shape. Statistics of batch norm stay as they
// are. Error: LibTorch's.
absl::Status MoveParameters(double momentum, const RankingNetwork& from,
                            RankingNetwork& to);

struct MomentumOptions {
  // Of updates, which counts those of all tasks: one per round.
  int train_every = 4;
  double momentum = 0.99;
  // Of each training, or the checkpoint's for good, but for columns that it
  // ignores (ScaleIgnored).
  Normalisation normalisation = Normalisation::kLargest;
  bool keep_normaliser = false;
  TrainingOptions training = {};
  uint64_t seed = 0;
};

// Two networks that start as the checkpoint. Every `train_every`-th update the
// target network starts anew as a copy of the Siamese one and learns from all
// programs so far, with a normaliser of theirs; then the Siamese network, which
// is never trained itself, moves a little towards it. The target predicts.
// Equal checkpoints, options and updates give equal scores, bit by bit.
class MomentumModel : public NetworkModel {
 public:
  // Takes the checkpoint over. Errors: options out of range, by name.
  static absl::StatusOr<MomentumModel> Create(absl::string_view features,
                                              const TrainedNetwork& checkpoint,
                                              const MomentumOptions& options);

  MomentumModel(MomentumModel&&) = default;
  MomentumModel& operator=(MomentumModel&&) = default;

  // Always: the checkpoint is.
  bool is_trained() const override { return true; }
  bool counts_updates() const override { return true; }
  absl::StatusOr<std::vector<double>> Predict(
      const FeatureRows& programs) override;

  // Of the last update at which it was time to train.
  const TrainingOutcome& outcome() const { return outcome_; }

  // The Siamese network, with the normaliser of the last training: the
  // checkpoint of another run.
  absl::Status Save(const std::string& path) const override;

 private:
  // Counts if it brings programs. If there is too little to learn from when it
  // is time to, both networks stay what they were.
  absl::Status Learn(const FeatureRows& programs,
                     absl::Span<const ProgramLabel> labels,
                     const IsUnwanted& is_unwanted) override;

  MomentumModel(absl::string_view features, const TrainedNetwork& checkpoint,
                const MomentumOptions& options)
      : features_(features),
        options_(options),
        siamese_(checkpoint),
        target_(checkpoint) {}

  absl::Status Adapt();

  std::string features_;
  MomentumOptions options_;
  TrainingSet data_;
  uint64_t updates_ = 0;
  // Its normaliser stays the checkpoint's.
  TrainedNetwork siamese_;
  // Shares the network with siamese_ until the first training, which gives it
  // one of its own.
  TrainedNetwork target_;
  TrainingOutcome outcome_;
};

}  // namespace pruner

#endif  // PRUNER_PACM_MOMENTUM_ADAPTION_H_
