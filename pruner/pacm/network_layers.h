// Layers that PaCM and TenSet's network share (docs/algorithms.md A8, B4).
#ifndef PRUNER_PACM_NETWORK_LAYERS_H_
#define PRUNER_PACM_NETWORK_LAYERS_H_

#include <cstdint>

#include "pruner/pacm/program_tensors.h"
#include "torch/nn/module.h"
#include "torch/nn/modules/linear.h"
#include "torch/nn/pimpl.h"
#include "torch/types.h"

namespace pruner {

// Each row through two linear layers with ReLU; the sum over a program's rows.
class RowEncoderImpl : public torch::nn::Module {
 public:
  RowEncoderImpl(int64_t columns, int64_t width);

  // [B, width].
  torch::Tensor forward(const ProgramBatch& batch);

 private:
  torch::nn::Linear first_, second_;
};
TORCH_MODULE(RowEncoder);

// Twice h = h + ReLU(linear(h)), then a linear layer to the score.
class RankingHeadImpl : public torch::nn::Module {
 public:
  explicit RankingHeadImpl(int64_t width);

  // From [B, width] to [B].
  torch::Tensor forward(const torch::Tensor& hidden);

 private:
  torch::nn::Linear first_, second_, score_;
};
TORCH_MODULE(RankingHead);

}  // namespace pruner

#endif  // PRUNER_PACM_NETWORK_LAYERS_H_
