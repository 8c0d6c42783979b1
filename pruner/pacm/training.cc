#include "pruner/pacm/training.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/early_stop.h"
#include "pruner/pacm/lambda_rank.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/program_tensors.h"
#include "pruner/pacm/ranking_batches.h"
#include "pruner/pacm/ranking_network.h"
#include "pruner/pacm/torch_border.h"
#include "pruner/pacm/trained_network.h"
#include "torch/nn/utils/clip_grad.h"
#include "torch/optim/adam.h"
#include "torch/optim/optimizer.h"
#include "torch/optim/sgd.h"
#include "torch/types.h"

namespace pruner {
namespace {

absl::Status CheckData(const TrainedNetwork& model,
                       const RankedPrograms& data) {
  RETURN_IF_ERROR(CheckColumns(model.shape, data.programs));
  RETURN_IF_ERROR(CheckNormaliser(model.shape, model.normaliser));
  const size_t programs = data.programs.ends.size();
  if (data.labels.size() != programs || data.tasks.size() != programs) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", data.labels.size(), " labels and ",
                     data.tasks.size(), " tasks for ", programs, " programs"));
  }
  return absl::OkStatus();
}

std::unique_ptr<torch::optim::Optimizer> MakeOptimizer(
    const TrainingOptions& options, const RankingNetwork& network) {
  switch (options.optimizer) {
    case TrainingOptions::Optimizer::kAdam:
      return std::make_unique<torch::optim::Adam>(
          network.parameters(), torch::optim::AdamOptions(options.learning_rate)
                                    .weight_decay(options.weight_decay));
    case TrainingOptions::Optimizer::kSgd:
      return std::make_unique<torch::optim::SGD>(
          network.parameters(), torch::optim::SGDOptions(options.learning_rate)
                                    .weight_decay(options.weight_decay));
  }
  return nullptr;
}

// Throws as LibTorch does.
class Trainer {
 public:
  Trainer(const TrainingOptions& options, const RankedPrograms& data,
          const TrainedNetwork& model)
      : options_(options),
        data_(data),
        tensors_(model.shape, model.normaliser, data.programs),
        labels_(torch::tensor(data.labels, torch::kFloat32)),
        network_(*model.network),
        optimizer_(MakeOptimizer(options, network_)) {}

  // Error: a loss that is not finite.
  absl::StatusOr<TrainingOutcome> Run(Rng rng) {
    network_.train();
    EarlyStop stop(options_.loss_memory, options_.patience);
    TrainingOutcome outcome = {.end = TrainingEnd::kAllEpochs};
    const int epochs = Epochs(options_, data_.programs.num_programs());
    while (outcome.epochs < epochs) {
      SetLearningRate(LearningRate(options_, outcome.epochs));
      RETURN_IF_ERROR(RunEpoch(rng, stop)) << "in epoch " << outcome.epochs + 1;
      ++outcome.epochs;
      if (stop.EndEpoch()) {
        outcome.end = TrainingEnd::kLossStopped;
        break;
      }
    }
    network_.eval();
    outcome.loss = stop.mean();
    return outcome;
  }

 private:
  void SetLearningRate(double rate) {
    for (auto& group : optimizer_->param_groups()) group.options().set_lr(rate);
  }

  absl::Status RunEpoch(Rng& rng, EarlyStop& stop) {
    for (const RankingBatch& batch : DealBatches(
             data_.tasks, options_.batch_size, options_.list_size, rng)) {
      const double loss = Step(batch);
      if (!std::isfinite(loss)) {
        return absl::InternalError(
            absl::StrCat("training went astray: the loss is ", loss));
      }
      stop.AddLoss(loss);
    }
    return absl::OkStatus();
  }

  // The loss before the step.
  double Step(const RankingBatch& batch) {
    optimizer_->zero_grad();
    const torch::Tensor scores =
        network_.forward(tensors_.Batch(batch.programs));
    const torch::Tensor loss = LambdaRankLoss(
        scores,
        labels_.index_select(0, torch::tensor(batch.programs, torch::kInt64)),
        batch.list_ends);
    loss.backward();
    if (options_.max_gradient_norm > 0) {
      torch::nn::utils::clip_grad_norm_(network_.parameters(),
                                        options_.max_gradient_norm);
    }
    optimizer_->step();
    return loss.item<double>();
  }

  const TrainingOptions& options_;
  const RankedPrograms& data_;
  const ProgramTensors tensors_;
  const torch::Tensor labels_;
  RankingNetwork& network_;
  const std::unique_ptr<torch::optim::Optimizer> optimizer_;
};

}  // namespace

std::string TrainingOutcome::ToString() const {
  switch (end) {
    case TrainingEnd::kTooFewPrograms:
      return "not trained: too few programs";
    case TrainingEnd::kNothingToRank:
      return "not trained: all programs are equally fast, or all failed";
    case TrainingEnd::kLossStopped:
      return absl::StrCat("stopped after ", epochs, " epochs, loss ", loss);
    case TrainingEnd::kAllEpochs:
      return absl::StrCat("trained for ", epochs, " epochs, loss ", loss);
  }
  return "";
}

absl::StatusOr<TrainingOutcome> Train(const TrainingOptions& options,
                                      const RankedPrograms& data, Rng rng,
                                      TrainedNetwork& model) {
  RETURN_IF_ERROR(CheckTrainingOptions(options));
  RETURN_IF_ERROR(CheckData(model, data));
  if (data.programs.num_programs() < options.min_programs)
    return TrainingOutcome{.end = TrainingEnd::kTooFewPrograms};
  const std::vector<float>& labels = data.labels;
  if (std::adjacent_find(labels.begin(), labels.end(), std::not_equal_to<>()) ==
      labels.end())
    return TrainingOutcome{.end = TrainingEnd::kNothingToRank};
  TrainingOutcome outcome;
  RETURN_IF_ERROR(CatchTorch("training", [&]() -> absl::Status {
    const TorchThreads bounded(options.threads);
    Trainer trainer(options, data, model);
    ASSIGN_OR_RETURN(outcome, trainer.Run(rng));
    return absl::OkStatus();
  }));
  return outcome;
}

}  // namespace pruner
