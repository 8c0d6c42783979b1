// The generator of DCGAN (Radford et al. 2016), with random weights.
#ifndef MODELS_ZOO_DCGAN_H_
#define MODELS_ZOO_DCGAN_H_

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/zoo/options.h"

namespace pruner {

// Input "noise" {batch, 1, 1, 100}, output "image" {batch, 64, 64, 3} in (-1,
// 1). 64 channels at half the image's resolution, as in PyTorch's example; the
// paper's has 128.
absl::StatusOr<OperatorGraph> Dcgan(const ModelOptions& options);

}  // namespace pruner

#endif  // MODELS_ZOO_DCGAN_H_
