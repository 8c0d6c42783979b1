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
  absl::Status Update(const FeatureRows& /*programs*/,
                      absl::Span<const ProgramLabel> /*labels*/) override {
    return absl::OkStatus();
  }
  absl::Status Save(const std::string& path) const override {
    return SaveNetwork(path, options_.features, network_);
  }

 private:
  const NetworkModelOptions options_;
  const TrainedNetwork network_;
};

template <typename Model>
absl::StatusOr<std::unique_ptr<NetworkModel>> Owned(
    absl::StatusOr<Model> model) {
  RETURN_IF_ERROR(model.status());
  return std::make_unique<Model>(*std::move(model));
}

}  // namespace

absl::StatusOr<std::unique_ptr<NetworkModel>> MakeNetworkModel(
    const NetworkModelOptions& options) {
  const std::string& file = options.pretrained;
  const NetworkCostModelOptions network = {
      .training = options.training,
      .normalisation = options.normalisation,
      .fine_tune = !file.empty(),
      .seed = options.seed};
  if (file.empty()) {
    return Owned(
        NetworkCostModel::Create(options.features, options.shape, network));
  }
  switch (options.adapt) {
    case Adaption::kNone: {
      ASSIGN_OR_RETURN(TrainedNetwork loaded,
                       LoadNetwork(file, options.features));
      return std::make_unique<FrozenNetwork>(options, std::move(loaded));
    }
    case Adaption::kFineTune:
      return Owned(NetworkCostModel::Load(file, options.features, network));
    case Adaption::kMomentum:
      return Owned(
          MomentumModel::Load(file, options.features,
                              {.train_every = options.train_every,
                               .normalisation = options.normalisation,
                               .keep_normaliser = options.keep_normaliser,
                               .training = options.training,
                               .seed = options.seed}));
  }
  return absl::InternalError("there is no such adaption");
}

}  // namespace pruner
