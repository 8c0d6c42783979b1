#include "pruner/pacm/network_layers.h"

#include <cstdint>

#include "pruner/pacm/program_tensors.h"
#include "torch/nn/modules/linear.h"
#include "torch/types.h"

namespace pruner {

RowEncoderImpl::RowEncoderImpl(int64_t columns, int64_t width)
    : first_(register_module("first", torch::nn::Linear(columns, width))),
      second_(register_module("second", torch::nn::Linear(width, width))) {}

torch::Tensor RowEncoderImpl::forward(const ProgramBatch& batch) {
  const torch::Tensor rows =
      torch::relu(second_(torch::relu(first_(batch.rows))));
  return torch::zeros({batch.size, rows.size(1)}, rows.options())
      .index_add(0, batch.program_of_row, rows);
}

RankingHeadImpl::RankingHeadImpl(int64_t width)
    : first_(register_module("first", torch::nn::Linear(width, width))),
      second_(register_module("second", torch::nn::Linear(width, width))),
      score_(register_module("score", torch::nn::Linear(width, 1))) {}

torch::Tensor RankingHeadImpl::forward(const torch::Tensor& hidden) {
  const torch::Tensor once = hidden + torch::relu(first_(hidden));
  const torch::Tensor twice = once + torch::relu(second_(once));
  return score_(twice).squeeze(1);
}

}  // namespace pruner
