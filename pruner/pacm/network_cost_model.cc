#include "pruner/pacm/network_cost_model.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/make_network.h"
#include "pruner/pacm/model_file.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/trained_network.h"
#include "pruner/pacm/training.h"

namespace pruner {
namespace {

// Streams of the seed.
constexpr uint64_t kWeights = 0;
constexpr uint64_t kFirstTraining = 1;

}  // namespace

absl::StatusOr<NetworkCostModel> NetworkCostModel::Create(
    absl::string_view features, const NetworkShape& shape,
    const NetworkCostModelOptions& options) {
  RETURN_IF_ERROR(CheckShape(shape));
  RETURN_IF_ERROR(CheckTrainingOptions(options.training));
  if (options.fine_tune) {
    return absl::InvalidArgumentError(
        "only a network that was loaded can be fine-tuned");
  }
  return NetworkCostModel(features, shape, options);
}

absl::StatusOr<NetworkCostModel> NetworkCostModel::Continue(
    absl::string_view features, TrainedNetwork network,
    const NetworkCostModelOptions& options) {
  RETURN_IF_ERROR(CheckTrainingOptions(options.training));
  NetworkCostModel model(features, network.shape, options);
  model.loaded_ = network.normaliser;
  model.model_ = std::move(network);
  return model;
}

absl::StatusOr<std::vector<double>> NetworkCostModel::Predict(
    const FeatureRows& programs) {
  if (!is_trained() || programs.num_programs() == 0)
    return std::vector<double>(programs.ends.size());
  return ScorePrograms(*model_, programs, options_.training.threads);
}

absl::StatusOr<TrainedNetwork> NetworkCostModel::Start() const {
  Normaliser fitted =
      FitNormaliser(options_.normalisation, shape_, data_.programs());
  if (options_.fine_tune) {
    // A copy, as training that goes astray must not harm the network.
    ASSIGN_OR_RETURN(TrainedNetwork model, Copy(*model_));
    model.normaliser = ScaleIgnored(loaded_, fitted);
    return model;
  }
  TrainedNetwork model = {.shape = shape_, .normaliser = std::move(fitted)};
  ASSIGN_OR_RETURN(model.network,
                   MakeNetwork(shape_, Rng(options_.seed).Fork(kWeights)));
  return model;
}

absl::Status NetworkCostModel::Learn(const FeatureRows& programs,
                                     absl::Span<const ProgramLabel> labels,
                                     const IsUnwanted& /*is_unwanted*/) {
  if (programs.num_programs() == 0) return absl::OkStatus();
  RETURN_IF_ERROR(CheckColumns(shape_, programs));
  RETURN_IF_ERROR(data_.Add(programs, labels));
  // A new network does not depend on how many there were before it.
  const uint64_t training = options_.fine_tune ? updates_ : 0;
  ++updates_;
  ASSIGN_OR_RETURN(TrainedNetwork model, Start());
  ASSIGN_OR_RETURN(
      outcome_,
      Train(options_.training, RankedPrograms(data_),
            Rng(options_.seed).Fork(kFirstTraining + training), model));
  if (outcome_.trained()) model_ = std::move(model);
  return absl::OkStatus();
}

absl::Status NetworkCostModel::Save(const std::string& path) const {
  if (!is_trained()) {
    return absl::FailedPreconditionError(
        "a model that has learned nothing is not saved");
  }
  return SaveNetwork(path, features_, *model_);
}

}  // namespace pruner
