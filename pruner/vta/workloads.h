// The 13 convolutions of the study of hardware-aware initialization
// (docs/algorithms.md C3), with what the paper says of their spaces.
#ifndef PRUNER_VTA_WORKLOADS_H_
#define PRUNER_VTA_WORKLOADS_H_

#include <cstdint>

#include "absl/types/span.h"

namespace pruner {

// A convolution; extents in elements, the same stride and padding (on each
// side) in both directions.
struct VtaWorkload {
  // The paper's number: from 0 in DeepBench's list of convolutions for
  // inference on servers, from 42 on one more than that.
  int id = 0;
  int64_t batch = 1;
  int64_t out_channels = 0;
  int64_t in_channels = 0;
  int64_t height = 0;
  int64_t width = 0;
  int64_t kernel_height = 0;
  int64_t kernel_width = 0;
  int64_t stride = 1;
  int64_t padding = 0;
  // Table II of the paper: points of the space, and the share that compiles.
  // For comparisons only; nothing is computed from them.
  int64_t paper_size = 0;
  double paper_valid_ratio = 0;
  // Constants of the model and of the search are chosen without a look at it.
  bool held_out = false;

  int64_t OutHeight() const {
    return (height + 2 * padding - kernel_height) / stride + 1;
  }
  int64_t OutWidth() const {
    return (width + 2 * padding - kernel_width) / stride + 1;
  }
};

// In the order of their ids. Lives as long as the program.
absl::Span<const VtaWorkload> VtaWorkloads();

// The workload with this id, or null if the study has none.
const VtaWorkload* FindVtaWorkload(int id);

}  // namespace pruner

#endif  // PRUNER_VTA_WORKLOADS_H_
