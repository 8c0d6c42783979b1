#include "pruner/pacm/network_layers.h"

#include <cstdint>

#include "pruner/pacm/program_tensors.h"
#include "torch/nn/modules/linear.h"
#include "torch/types.h"

namespace pruner {

RowEncoderImpl::RowEncoderImpl(int64_t columns)
    : first_(
          register_module("first", torch::nn::Linear(columns, kHiddenWidth))),
      second_(register_module("second",
                              torch::nn::Linear(kHiddenWidth, kHiddenWidth))) {}

torch::Tensor RowEncoderImpl::forward(const ProgramBatch& batch) {
  const torch::Tensor rows =
      torch::relu(second_(torch::relu(first_(batch.rows))));
  return torch::zeros({batch.size, kHiddenWidth}, rows.options())
      .index_add(0, batch.program_of_row, rows);
}

RankingHeadImpl::RankingHeadImpl()
    : first_(register_module("first",
                             torch::nn::Linear(kHiddenWidth, kHiddenWidth))),
      second_(register_module("second",
                              torch::nn::Linear(kHiddenWidth, kHiddenWidth))),
      score_(register_module("score", torch::nn::Linear(kHiddenWidth, 1))) {}

torch::Tensor RankingHeadImpl::forward(const torch::Tensor& hidden) {
  const torch::Tensor once = hidden + torch::relu(first_(hidden));
  const torch::Tensor twice = once + torch::relu(second_(once));
  return score_(twice).squeeze(1);
}

}  // namespace pruner
