#include "pruner/pacm/program_tensors.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/normaliser.h"
#include "torch/types.h"

namespace pruner {
namespace {

// A tensor on the values, which must outlive it and stay as they are; LibTorch
// has no tensors that cannot be written to.
torch::Tensor ViewOf(const std::vector<float>& values,
                     torch::IntArrayRef shape) {
  return torch::from_blob(const_cast<float*>(values.data()), shape,
                          torch::kFloat32);
}

// The values, of which the last dimensions of `shape` are the columns.
torch::Tensor Scaled(const std::vector<float>& values, torch::IntArrayRef shape,
                     const ColumnScales& scales, float limit) {
  const torch::IntArrayRef columns = shape.slice(1);
  const torch::Tensor scaled =
      (ViewOf(values, shape) - ViewOf(scales.shifts, columns)) /
      ViewOf(scales.divisors, columns);
  return limit > 0 ? scaled.clamp(-limit, limit) : scaled;
}

torch::Tensor Indices(const std::vector<int64_t>& indices) {
  return torch::tensor(indices, torch::kInt64);
}

}  // namespace

ProgramTensors::ProgramTensors(const NetworkShape& shape,
                               const Normaliser& normaliser,
                               const FeatureRows& programs)
    : ends_(programs.ends) {
  if (shape.reads_rows()) {
    rows_ = Scaled(programs.values, {programs.num_rows(), shape.row_columns},
                   normaliser.rows, normaliser.limit);
  }
  if (shape.reads_blocks()) {
    blocks_ = Scaled(programs.program_values,
                     {size(), shape.blocks, shape.block_columns},
                     normaliser.blocks, normaliser.limit);
  }
}

ProgramBatch ProgramTensors::Batch(absl::Span<const int64_t> programs) const {
  ProgramBatch batch = {.size = static_cast<int64_t>(programs.size())};
  if (rows_.defined()) {
    std::vector<int64_t> rows, program_of_row;
    for (size_t i = 0; i < programs.size(); ++i) {
      const auto program = static_cast<size_t>(programs[i]);
      for (int64_t row = program == 0 ? 0 : ends_[program - 1];
           row < ends_[program]; ++row) {
        rows.push_back(row);
        program_of_row.push_back(static_cast<int64_t>(i));
      }
    }
    batch.rows = rows_.index_select(0, Indices(rows));
    batch.program_of_row = Indices(program_of_row);
  }
  if (blocks_.defined()) {
    batch.blocks = blocks_.index_select(
        0, Indices(std::vector<int64_t>(programs.begin(), programs.end())));
  }
  return batch;
}

}  // namespace pruner
