// A cost model that is a network, PaCM or TenSet's (docs/algorithms.md A8, B4).
#ifndef PRUNER_PACM_NETWORK_COST_MODEL_H_
#define PRUNER_PACM_NETWORK_COST_MODEL_H_

#include <cstdint>
#include <optional>
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
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/trained_network.h"
#include "pruner/pacm/training.h"

namespace pruner {

struct NetworkCostModelOptions {
  // For fine-tuning, FineTuning() is what the authors take.
  TrainingOptions training = {};
  Normalisation normalisation = Normalisation::kLargest;
  // Updates train the network further, with the normaliser that it has, but for
  // columns that it ignores (ScaleIgnored). If not, each trains a new one, with
  // a normaliser of its own.
  bool fine_tune = false;
  uint64_t seed = 0;
};

// Each update learns from all programs of all tasks so far. Until one has
// trained, scores are those of the loaded network, or 0. Equal options and
// programs give equal scores, bit by bit.
class NetworkCostModel : public NetworkModel {
 public:
  // `features` names what the columns are, with a version, as ColumnSetName
  // does: it goes with the model's file. Errors: CheckShape's and
  // CheckTrainingOptions's; there is nothing yet to be fine-tuned.
  static absl::StatusOr<NetworkCostModel> Create(
      absl::string_view features, const NetworkShape& shape,
      const NetworkCostModelOptions& options);
  // Begins with a network that has learned. Errors: those of options.
  static absl::StatusOr<NetworkCostModel> Continue(
      absl::string_view features, TrainedNetwork network,
      const NetworkCostModelOptions& options);

  bool is_trained() const override { return model_.has_value(); }
  bool counts_updates() const override { return options_.fine_tune; }
  absl::StatusOr<std::vector<double>> Predict(
      const FeatureRows& programs) override;

  // What came of the last update that brought programs.
  const TrainingOutcome& outcome() const { return outcome_; }

  // Writes what Predict needs, not what was learned from. FailedPrecondition if
  // not trained.
  absl::Status Save(const std::string& path) const override;

 private:
  // If there is too little to learn from, the network stays what it was.
  absl::Status Learn(const FeatureRows& programs,
                     absl::Span<const ProgramLabel> labels,
                     const IsUnwanted& is_unwanted) override;

  NetworkCostModel(absl::string_view features, const NetworkShape& shape,
                   const NetworkCostModelOptions& options)
      : features_(features), shape_(shape), options_(options) {}

  // What a training begins with.
  absl::StatusOr<TrainedNetwork> Start() const;

  std::string features_;
  NetworkShape shape_;
  NetworkCostModelOptions options_;
  TrainingSet data_;
  uint64_t updates_ = 0;  // that brought programs
  Normaliser loaded_;     // of the network that Continue began with
  std::optional<TrainedNetwork> model_;
  TrainingOutcome outcome_;
};

}  // namespace pruner

#endif  // PRUNER_PACM_NETWORK_COST_MODEL_H_
