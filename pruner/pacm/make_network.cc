#include "pruner/pacm/make_network.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/pacm_network.h"
#include "pruner/pacm/ranking_network.h"
#include "pruner/pacm/tenset_mlp.h"
#include "pruner/pacm/torch_border.h"
#include "torch/nn/module.h"
#include "torch/nn/modules/activation.h"
#include "torch/nn/modules/linear.h"
#include "torch/types.h"
#include "torch/utils.h"

namespace pruner {
namespace {

void DrawUniform(double bound, const torch::Tensor& tensor, Rng& rng) {
  auto* const values = tensor.data_ptr<float>();
  for (int64_t i = 0; i < tensor.numel(); ++i)
    values[i] = static_cast<float>((2 * rng.Real() - 1) * bound);
}

// Not by LibTorch, whose generator is one for the whole process.
void DrawWeights(RankingNetwork& network, Rng& rng) {
  const torch::NoGradGuard no_gradients;
  const std::vector<std::shared_ptr<torch::nn::Module>> layers =
      network.modules(/*include_self=*/false);
  for (const auto& layer : layers) {
    const auto* const linear = layer->as<torch::nn::Linear>();
    if (linear == nullptr) continue;
    const double bound =
        1 / std::sqrt(static_cast<double>(linear->weight.size(1)));
    DrawUniform(bound, linear->weight, rng);
    DrawUniform(bound, linear->bias, rng);
  }
  // After the linear layer that is a part of attention.
  for (const auto& layer : layers) {
    auto* const attention = layer->as<torch::nn::MultiheadAttention>();
    if (attention == nullptr) continue;
    const torch::Tensor& weight = attention->in_proj_weight;
    DrawUniform(
        std::sqrt(6 / static_cast<double>(weight.size(0) + weight.size(1))),
        weight, rng);
    attention->in_proj_bias.zero_();
    attention->out_proj->bias.zero_();
  }
}

std::shared_ptr<RankingNetwork> OfKind(const NetworkShape& shape) {
  switch (shape.kind) {
    case NetworkKind::kPacm:
      return std::make_shared<PacmNetwork>(shape);
    case NetworkKind::kTensetMlp:
      return std::make_shared<TensetMlp>(shape);
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<std::shared_ptr<RankingNetwork>> MakeNetwork(
    const NetworkShape& shape, Rng rng) {
  RETURN_IF_ERROR(CheckShape(shape));
  std::shared_ptr<RankingNetwork> network;
  RETURN_IF_ERROR(CatchTorch("making a network", [&] {
    network = OfKind(shape);
    DrawWeights(*network, rng);
    return absl::OkStatus();
  }));
  return network;
}

}  // namespace pruner
