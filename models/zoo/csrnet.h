// CSRNet (Li et al. 2018): crowd counting, by dilated convolutions behind the
// front of VGG-16.
#ifndef MODELS_ZOO_CSRNET_H_
#define MODELS_ZOO_CSRNET_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/zoo/options.h"

namespace pruner {

// Input "image" {batch, 224, 224, 3}, output "density" {batch, 14, 14, 1}. With
// VGG-16's fourth pooling, which CSRNet itself leaves out: the network that PET
// (Wang et al. 2021) was measured on has it.
absl::StatusOr<OperatorGraph> Csrnet(const ModelOptions& options);

// Of images of another size.
absl::StatusOr<OperatorGraph> Csrnet(const ModelOptions& options,
                                     int64_t image_size);

}  // namespace pruner

#endif  // MODELS_ZOO_CSRNET_H_
