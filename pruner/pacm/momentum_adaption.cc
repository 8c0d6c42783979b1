#include "pruner/pacm/momentum_adaption.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/model_file.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/ranking_network.h"
#include "pruner/pacm/torch_border.h"
#include "pruner/pacm/trained_network.h"
#include "pruner/pacm/training.h"
#include "torch/types.h"
#include "torch/utils.h"

namespace pruner {
namespace {

absl::Status Check(const MomentumOptions& options) {
  if (options.train_every < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "train_every = ", options.train_every, " is not at least 1"));
  }
  if (!(options.momentum >= 0 && options.momentum <= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("momentum = ", options.momentum, " is not in 0..1"));
  }
  return CheckTrainingOptions(options.training);
}

}  // namespace

absl::Status MoveParameters(double momentum, const RankingNetwork& from,
                            RankingNetwork& to) {
  return CatchTorch("moving weights", [&] {
    const torch::NoGradGuard no_gradients;
    const std::vector<torch::Tensor> sources = from.parameters();
    const std::vector<torch::Tensor> moved = to.parameters();
    for (size_t i = 0; i < moved.size(); ++i)
      moved[i].mul_(momentum).add_(sources.at(i), 1 - momentum);
    return absl::OkStatus();
  });
}

absl::StatusOr<MomentumModel> MomentumModel::Create(
    absl::string_view features, const TrainedNetwork& checkpoint,
    const MomentumOptions& options) {
  RETURN_IF_ERROR(Check(options));
  return MomentumModel(features, checkpoint, options);
}

absl::StatusOr<std::vector<double>> MomentumModel::Predict(
    const FeatureRows& programs) {
  if (programs.num_programs() == 0) return std::vector<double>();
  return ScorePrograms(target_, programs, options_.training.threads);
}

absl::Status MomentumModel::Learn(const FeatureRows& programs,
                                  absl::Span<const ProgramLabel> labels,
                                  const IsUnwanted& /*is_unwanted*/) {
  if (programs.num_programs() == 0) return absl::OkStatus();
  RETURN_IF_ERROR(CheckColumns(siamese_.shape, programs));
  RETURN_IF_ERROR(data_.Add(programs, labels));
  ++updates_;
  return updates_ % static_cast<uint64_t>(options_.train_every) == 0
             ? Adapt()
             : absl::OkStatus();
}

absl::Status MomentumModel::Adapt() {
  ASSIGN_OR_RETURN(TrainedNetwork target, Copy(siamese_));
  target.normaliser =
      FitNormaliser(options_.normalisation, target.shape, data_.programs());
  if (options_.keep_normaliser)
    target.normaliser = ScaleIgnored(siamese_.normaliser, target.normaliser);
  ASSIGN_OR_RETURN(outcome_, Train(options_.training, RankedPrograms(data_),
                                   Rng(options_.seed).Fork(updates_), target));
  if (!outcome_.trained()) return absl::OkStatus();
  // The target first: until now it may have been the Siamese network itself.
  target_ = std::move(target);
  return MoveParameters(options_.momentum, *target_.network, *siamese_.network);
}

absl::Status MomentumModel::Save(const std::string& path) const {
  return SaveNetwork(path, features_,
                     {.shape = siamese_.shape,
                      .normaliser = target_.normaliser,
                      .network = siamese_.network});
}

}  // namespace pruner
