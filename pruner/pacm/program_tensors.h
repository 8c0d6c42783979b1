// Programs as networks read them: tensors of normalised features.
#ifndef PRUNER_PACM_PROGRAM_TENSORS_H_
#define PRUNER_PACM_PROGRAM_TENSORS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/normaliser.h"
#include "torch/types.h"

namespace pruner {

// What the network does not read is undefined.
struct ProgramBatch {
  int64_t size = 0;                   // B programs, with R rows together
  torch::Tensor rows = {};            // [R, row columns] float
  torch::Tensor program_of_row = {};  // [R] int64, in 0..B-1
  torch::Tensor blocks = {};          // [B, blocks, block columns] float
};

// Throws as LibTorch does.
class ProgramTensors {
 public:
  // A copy; CheckColumns and CheckNormaliser hold.
  ProgramTensors(const NetworkShape& shape, const Normaliser& normaliser,
                 const FeatureRows& programs);

  int64_t size() const { return static_cast<int64_t>(ends_.size()); }

  // These programs, in this order.
  ProgramBatch Batch(absl::Span<const int64_t> programs) const;

 private:
  torch::Tensor rows_, blocks_;
  std::vector<int32_t> ends_;
};

}  // namespace pruner

#endif  // PRUNER_PACM_PROGRAM_TENSORS_H_
