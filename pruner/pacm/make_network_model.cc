#include "pruner/pacm/make_network_model.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/model_file.h"
#include "pruner/pacm/momentum_adaption.h"
#include "pruner/pacm/network_cost_model.h"
#include "pruner/pacm/network_model.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/trained_network.h"

namespace pruner {
namespace {

// Adaption::kNone.
class FrozenNetwork : public NetworkModel {
 public:
  FrozenNetwork(const NetworkModelOptions& options, TrainedNetwork network)
      : options_(options), network_(std::move(network)) {}

  bool is_trained() const override { return true; }
  absl::StatusOr<std::vector<double>> Predict(
      const FeatureRows& programs) override {
    if (programs.num_programs() == 0) return std::vector<double>();
    return ScorePrograms(network_, programs, options_.training.threads);
  }
  absl::Status Save(const std::string& path) const override {
    return SaveNetwork(path, options_.features, network_);
  }

 private:
  absl::Status Learn(const FeatureRows& /*programs*/,
                     absl::Span<const ProgramLabel> /*labels*/,
                     const IsUnwanted& /*is_unwanted*/) override {
    return absl::OkStatus();
  }

  const NetworkModelOptions options_;
  const TrainedNetwork network_;
};

template <typename Model>
absl::StatusOr<std::unique_ptr<NetworkModel>> Owned(
    absl::StatusOr<Model> model) {
  RETURN_IF_ERROR(model.status());
  return std::make_unique<Model>(*std::move(model));
}

NetworkCostModelOptions CostModelOptionsOf(const NetworkModelOptions& options) {
  return {.training = options.training,
          .normalisation = options.normalisation,
          .fine_tune = !options.pretrained.empty(),
          .seed = options.seed};
}

absl::StatusOr<std::unique_ptr<NetworkModel>> Adapted(
    const NetworkModelOptions& options, TrainedNetwork network) {
  switch (options.adapt) {
    case Adaption::kNone:
      return std::make_unique<FrozenNetwork>(options, std::move(network));
    case Adaption::kFineTune:
      return Owned(NetworkCostModel::Continue(
          options.features, std::move(network), CostModelOptionsOf(options)));
    case Adaption::kMomentum:
      return Owned(
          MomentumModel::Create(options.features, network,
                                {.train_every = options.train_every,
                                 .normalisation = options.normalisation,
                                 .keep_normaliser = options.keep_normaliser,
                                 .training = options.training,
                                 .seed = options.seed}));
  }
  return absl::InternalError("there is no such adaption");
}

// A published checkpoint, which knows nothing before its scales are fitted, as
// its authors do it, to the first programs that it learns from.
class UnscaledNetwork : public NetworkModel {
 public:
  UnscaledNetwork(const NetworkModelOptions& options, TrainedNetwork network)
      : options_(options), network_(std::move(network)) {}

  bool is_trained() const override { return model_ != nullptr; }
  bool counts_updates() const override { return true; }
  absl::StatusOr<std::vector<double>> Predict(
      const FeatureRows& programs) override {
    if (model_ == nullptr) return std::vector<double>(programs.ends.size());
    return model_->Predict(programs);
  }
  absl::Status Save(const std::string& path) const override {
    if (model_ != nullptr) return model_->Save(path);
    return absl::FailedPreconditionError(
        "a network whose features are of unknown scales is not saved");
  }

 private:
  absl::Status Learn(const FeatureRows& programs,
                     absl::Span<const ProgramLabel> labels,
                     const IsUnwanted& is_unwanted) override {
    if (programs.num_programs() == 0) return absl::OkStatus();
    if (model_ == nullptr) {
      RETURN_IF_ERROR(CheckColumns(network_.shape, programs));
      network_.normaliser =
          FitNormaliser(Normalisation::kLargest, network_.shape, programs);
      ASSIGN_OR_RETURN(model_, Adapted(options_, network_));
    }
    return model_->Update(programs, labels, is_unwanted);
  }

  const NetworkModelOptions options_;
  TrainedNetwork network_;
  std::unique_ptr<NetworkModel> model_;  // none until there are scales
};

}  // namespace

absl::StatusOr<std::unique_ptr<NetworkModel>> MakeNetworkModel(
    const NetworkModelOptions& options) {
  if (options.pretrained.empty()) {
    return Owned(NetworkCostModel::Create(options.features, options.shape,
                                          CostModelOptionsOf(options)));
  }
  ASSIGN_OR_RETURN(TrainedNetwork network,
                   LoadNetwork(options.pretrained, options.features));
  if (network.has_scales()) return Adapted(options, std::move(network));
  return std::make_unique<UnscaledNetwork>(options, std::move(network));
}

}  // namespace pruner
