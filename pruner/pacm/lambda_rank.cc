#include "pruner/pacm/lambda_rank.h"

#include <tuple>

#include "torch/types.h"

namespace pruner {
namespace {

constexpr double kLeastProbability = 1e-10;
constexpr double kLargestDifference = 1e8;
// Where all labels are 0, and nothing is gained by any order.
constexpr double kLeastDcg = 1e-10;

// values[a] - values[b]: [B, B].
torch::Tensor Differences(const torch::Tensor& values) {
  return values.unsqueeze(1) - values.unsqueeze(0);
}

// Of pairs of ranks, by the labels in the order of the scores: what exchanging
// the two would change, 0 where the first has not the higher label.
torch::Tensor PairWeights(const torch::Tensor& labels) {
  const torch::Tensor ranks =
      torch::arange(1, labels.size(0) + 1, labels.options());
  const torch::Tensor discounts = torch::log2(1 + ranks).reciprocal();
  const torch::Tensor gains = torch::exp2(labels) - 1;
  const torch::Tensor best_gains =
      std::get<0>(gains.sort(/*dim=*/0, /*descending=*/true));
  const torch::Tensor max_dcg =
      (best_gains * discounts).sum().clamp_min(kLeastDcg);
  const torch::Tensor changes =
      Differences(discounts).abs() * Differences(gains / max_dcg).abs();
  return changes * (Differences(labels) > 0);
}

}  // namespace

torch::Tensor LambdaRankLoss(const torch::Tensor& scores,
                             const torch::Tensor& labels) {
  const torch::Tensor order = torch::argsort(scores.detach(), /*stable=*/true,
                                             /*dim=*/0, /*descending=*/true);
  const torch::Tensor weights = PairWeights(labels.index_select(0, order));
  const torch::Tensor differences =
      Differences(scores.index_select(0, order))
          .clamp(-kLargestDifference, kLargestDifference);
  const torch::Tensor probabilities =
      torch::sigmoid(differences).clamp_min(kLeastProbability);
  return -(weights * torch::log2(probabilities)).sum();
}

}  // namespace pruner
