// What PaCM and TenSet's network have in common: a network that scores
// programs, so that training, files and models are written once.
#ifndef PRUNER_PACM_RANKING_NETWORK_H_
#define PRUNER_PACM_RANKING_NETWORK_H_

#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/program_tensors.h"
#include "torch/nn/module.h"
#include "torch/types.h"

namespace pruner {

class RankingNetwork : public torch::nn::Module {
 public:
  explicit RankingNetwork(const NetworkShape& shape) : shape_(shape) {}

  const NetworkShape& shape() const { return shape_; }

  // The score of each program of a batch of this shape, [B]; B >= 1, while
  // training >= 2. Higher is faster, without bounds. Throws as LibTorch does.
  virtual torch::Tensor forward(const ProgramBatch& batch) = 0;

 private:
  const NetworkShape shape_;
};

}  // namespace pruner

#endif  // PRUNER_PACM_RANKING_NETWORK_H_
