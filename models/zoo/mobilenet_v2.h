// MobileNet-V2, with random weights.
#ifndef MODELS_ZOO_MOBILENET_V2_H_
#define MODELS_ZOO_MOBILENET_V2_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/zoo/options.h"

namespace pruner {

// MobileNet-V2 (Sandler et al. 2018) of width 1: input "image" {batch, 224,
// 224, 3}, output "logits" {batch, 1000}, before the softmax. Batch norms are
// explicit; weights are random.
absl::StatusOr<OperatorGraph> MobilenetV2(const ModelOptions& options);

// The same for square images of another size, which keeps tests short.
absl::StatusOr<OperatorGraph> MobilenetV2(const ModelOptions& options,
                                          int64_t image_size);

}  // namespace pruner

#endif  // MODELS_ZOO_MOBILENET_V2_H_
