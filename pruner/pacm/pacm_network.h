// PaCM, Pruner's network: what each statement does, and how the operands of the
// product go through the memory (docs/algorithms.md B4).
#ifndef PRUNER_PACM_PACM_NETWORK_H_
#define PRUNER_PACM_PACM_NETWORK_H_

#include <cstdint>

#include "pruner/pacm/network_layers.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/program_tensors.h"
#include "pruner/pacm/ranking_network.h"
#include "torch/nn/module.h"
#include "torch/nn/modules/activation.h"
#include "torch/nn/modules/batchnorm.h"
#include "torch/nn/modules/linear.h"
#include "torch/nn/pimpl.h"
#include "torch/types.h"

namespace pruner {

// Each dataflow block through two linear layers with ReLU; attention among the
// blocks of a program, added to what it is of; the sum over the blocks.
class DataflowEncoderImpl : public torch::nn::Module {
 public:
  DataflowEncoderImpl(int64_t columns, int64_t width);

  // From [B, blocks, columns] to [B, width].
  torch::Tensor forward(const torch::Tensor& blocks);

 private:
  torch::nn::Linear first_, second_;
  torch::nn::MultiheadAttention attention_;
};
TORCH_MODULE(DataflowEncoder);

// 417,409 parameters with the papers' 174 columns and 8 blocks of 23. Without
// rows or without blocks it lacks the branch that reads them; without blocks
// also the layer that fuses the two, as in Pruner's ablations.
class PacmNetwork : public RankingNetwork {
 public:
  // Of NetworkKind::kPacm; CheckShape holds.
  explicit PacmNetwork(const NetworkShape& shape);

  torch::Tensor forward(const ProgramBatch& batch) override;

 private:
  torch::Tensor Encoded(const ProgramBatch& batch);

  // Null where the shape has no such branch.
  RowEncoder rows_ = nullptr;
  DataflowEncoder dataflow_ = nullptr;
  torch::nn::Linear fuse_ = nullptr;
  torch::nn::BatchNorm1d norm_;
  RankingHead head_;
};

}  // namespace pruner

#endif  // PRUNER_PACM_PACM_NETWORK_H_
