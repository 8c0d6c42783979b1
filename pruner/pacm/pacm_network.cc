#include "pruner/pacm/pacm_network.h"

#include <cstdint>
#include <tuple>
#include <vector>

#include "pruner/pacm/network_layers.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/program_tensors.h"
#include "torch/nn/modules/activation.h"
#include "torch/nn/modules/batchnorm.h"
#include "torch/nn/modules/linear.h"
#include "torch/nn/options/activation.h"
#include "torch/types.h"

namespace pruner {
DataflowEncoderImpl::DataflowEncoderImpl(int64_t columns, int64_t width)
    : first_(register_module("first", torch::nn::Linear(columns, width / 2))),
      second_(register_module("second", torch::nn::Linear(width / 2, width))),
      attention_(register_module(
          "attention",
          torch::nn::MultiheadAttention(
              torch::nn::MultiheadAttentionOptions(width, kAttentionHeads)))) {}

torch::Tensor DataflowEncoderImpl::forward(const torch::Tensor& blocks) {
  // Attention takes [blocks, B, width].
  const torch::Tensor encoded =
      torch::relu(second_(torch::relu(first_(blocks))))
          .transpose(0, 1)
          .contiguous();
  const torch::Tensor attended =
      std::get<0>(attention_(encoded, encoded, encoded));
  return (attended + encoded).sum(0);
}

PacmNetwork::PacmNetwork(const NetworkShape& shape)
    : RankingNetwork(shape),
      norm_(register_module("norm", torch::nn::BatchNorm1d(shape.width))),
      head_(register_module("head", RankingHead(shape.width))) {
  if (shape.reads_rows())
    rows_ = register_module("rows", RowEncoder(shape.row_columns, shape.width));
  if (!shape.reads_blocks()) return;
  dataflow_ = register_module(
      "dataflow", DataflowEncoder(shape.block_columns, shape.dataflow_width));
  const int64_t encoded =
      (shape.reads_rows() ? shape.width : 0) + shape.dataflow_width;
  fuse_ = register_module("fuse", torch::nn::Linear(encoded, shape.width));
}

torch::Tensor PacmNetwork::Encoded(const ProgramBatch& batch) {
  if (!shape().reads_blocks()) return rows_(batch);
  std::vector<torch::Tensor> parts;
  if (shape().reads_rows()) parts.push_back(rows_(batch));
  parts.push_back(dataflow_(batch.blocks));
  return torch::relu(fuse_(torch::cat(parts, /*dim=*/1)));
}

torch::Tensor PacmNetwork::forward(const ProgramBatch& batch) {
  return head_(norm_(Encoded(batch)));
}

}  // namespace pruner
