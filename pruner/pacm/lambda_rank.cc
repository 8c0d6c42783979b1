#include "pruner/pacm/lambda_rank.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>

#include "absl/types/span.h"
#include "torch/types.h"

namespace pruner {
namespace {

constexpr double kLeastProbability = 1e-10;
constexpr double kLargestDifference = 1e8;
// Where all labels are 0, and nothing is gained by any order.
constexpr double kLeastDcg = 1e-10;

// Lists as the rows of a table that is as wide as the longest one: operators
// are called once for all lists, and not for each of a dozen short ones.
struct ListTable {
  torch::Tensor program;  // [L, n], places in the batch; 0 where there is none
  torch::Tensor exists;   // [L, n]
};

ListTable TableOf(absl::Span<const int64_t> list_ends) {
  int64_t longest = 0, begin = 0;
  for (const int64_t end : list_ends) {
    longest = std::max(longest, end - begin);
    begin = end;
  }
  const auto lists = static_cast<int64_t>(list_ends.size());
  const ListTable table = {
      .program = torch::zeros({lists, longest}, torch::kInt64),
      .exists = torch::zeros({lists, longest}, torch::kBool)};
  auto* const program = table.program.data_ptr<int64_t>();
  auto* const exists = table.exists.data_ptr<bool>();
  begin = 0;
  for (int64_t list = 0; list < lists; ++list) {
    const int64_t end = list_ends[static_cast<size_t>(list)];
    for (int64_t i = begin; i < end; ++i) {
      program[list * longest + i - begin] = i;
      exists[list * longest + i - begin] = true;
    }
    begin = end;
  }
  return table;
}

// The values by list.
torch::Tensor Lists(const torch::Tensor& values, const torch::Tensor& program) {
  return values.index_select(0, program.flatten()).view(program.sizes());
}

// values[l, a] - values[l, b]: [L, n, n].
torch::Tensor Differences(const torch::Tensor& values) {
  return values.unsqueeze(2) - values.unsqueeze(1);
}

// Of pairs of ranks, by the labels in the order of the scores: what exchanging
// the two would change, 0 where the first has not the higher label. Labels of
// 0 at the end, where a list has no more programs, change nothing.
torch::Tensor PairWeights(const torch::Tensor& labels) {
  const torch::Tensor ranks =
      torch::arange(1, labels.size(1) + 1, labels.options());
  const torch::Tensor discounts =
      torch::log2(1 + ranks).reciprocal().unsqueeze(0);
  const torch::Tensor gains = torch::exp2(labels) - 1;
  const torch::Tensor best_gains =
      std::get<0>(gains.sort(/*dim=*/1, /*descending=*/true));
  const torch::Tensor max_dcg =
      (best_gains * discounts).sum(1, /*keepdim=*/true).clamp_min(kLeastDcg);
  const torch::Tensor changes =
      Differences(discounts).abs() * Differences(gains / max_dcg).abs();
  return changes * (Differences(labels) > 0);
}

}  // namespace

torch::Tensor LambdaRankLoss(const torch::Tensor& scores,
                             const torch::Tensor& labels,
                             absl::Span<const int64_t> list_ends) {
  const ListTable table = TableOf(list_ends);
  // Those that do not exist come last.
  const torch::Tensor keys =
      Lists(scores.detach(), table.program)
          .masked_fill(~table.exists, -std::numeric_limits<float>::infinity());
  const torch::Tensor order = torch::argsort(keys, /*stable=*/true, /*dim=*/1,
                                             /*descending=*/true);
  const torch::Tensor program = table.program.gather(1, order);
  const torch::Tensor exists = table.exists.gather(1, order);
  const torch::Tensor weights = PairWeights(Lists(labels, program) * exists) *
                                exists.unsqueeze(2) * exists.unsqueeze(1);
  const torch::Tensor differences =
      Differences(Lists(scores, program))
          .clamp(-kLargestDifference, kLargestDifference);
  const torch::Tensor probabilities =
      torch::sigmoid(differences).clamp_min(kLeastProbability);
  return -(weights * torch::log2(probabilities)).sum();
}

}  // namespace pruner
