#include "pruner/pacm/tenset_mlp.h"

#include "pruner/pacm/network_layers.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/program_tensors.h"
#include "torch/types.h"

namespace pruner {

TensetMlp::TensetMlp(const NetworkShape& shape)
    : RankingNetwork(shape),
      rows_(
          register_module("rows", RowEncoder(shape.row_columns, shape.width))),
      head_(register_module("head", RankingHead(shape.width))) {}

torch::Tensor TensetMlp::forward(const ProgramBatch& batch) {
  return head_(rows_(batch));
}

}  // namespace pruner
