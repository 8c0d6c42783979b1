// The loss that ranking networks learn by: LambdaRank (docs/algorithms.md B4).
#ifndef PRUNER_PACM_LAMBDA_RANK_H_
#define PRUNER_PACM_LAMBDA_RANK_H_

#include <cstdint>

#include "absl/types/span.h"
#include "torch/types.h"

namespace pruner {

// Of lists of programs, one after the other, both of shape [B]: the scores, and
// the labels in [0, 1], higher is faster. `list_ends` are one past each list's
// last program. Pairs that the scores put into the wrong order cost more the
// more that harms the list: the sum over the pairs of each list of
//   |1/D_a - 1/D_b| * |G_a - G_b| * -log2 sigmoid(s_a - s_b),  y_a > y_b,
// with discounts D and gains G of the present ranks, which are constants to the
// gradient. Equal scores rank as they are listed. A scalar; 0 where no labels
// differ. Throws as LibTorch does.
torch::Tensor LambdaRankLoss(const torch::Tensor& scores,
                             const torch::Tensor& labels,
                             absl::Span<const int64_t> list_ends);

}  // namespace pruner

#endif  // PRUNER_PACM_LAMBDA_RANK_H_
