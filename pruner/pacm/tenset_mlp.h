// TenSet's network, the baseline that Pruner's papers call Ansor
// (docs/algorithms.md A8).
#ifndef PRUNER_PACM_TENSET_MLP_H_
#define PRUNER_PACM_TENSET_MLP_H_

#include "pruner/pacm/network_layers.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/program_tensors.h"
#include "pruner/pacm/ranking_network.h"
#include "torch/types.h"

namespace pruner {

class TensetMlp : public RankingNetwork {
 public:
  // Of NetworkKind::kTensetMlp; CheckShape holds.
  explicit TensetMlp(const NetworkShape& shape);

  torch::Tensor forward(const ProgramBatch& batch) override;

 private:
  RowEncoder rows_;
  RankingHead head_;
};

}  // namespace pruner

#endif  // PRUNER_PACM_TENSET_MLP_H_
