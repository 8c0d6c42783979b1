// Densely connected networks, with random weights.
#ifndef MODELS_ZOO_DENSENET_H_
#define MODELS_ZOO_DENSENET_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/zoo/options.h"

namespace pruner {

// DenseNet-121 (Huang et al. 2017, table 1: DenseNet-BC with growth rate 32):
// input "image" {batch, 224, 224, 3}, output "logits" {batch, 1000}, before the
// softmax. A layer's batch norms and activations are in front of its
// convolutions, so that norms of concatenations stay nodes of their own.
absl::StatusOr<OperatorGraph> Densenet121(const ModelOptions& options);

// Of images of another size.
absl::StatusOr<OperatorGraph> Densenet121(const ModelOptions& options,
                                          int64_t image_size);

}  // namespace pruner

#endif  // MODELS_ZOO_DENSENET_H_
