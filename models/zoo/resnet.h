// Residual networks, with random weights.
#ifndef MODELS_ZOO_RESNET_H_
#define MODELS_ZOO_RESNET_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/zoo/options.h"

namespace pruner {

// Of `image_size`, which smaller than 224 keeps tests short: input "image"
// {batch, image_size, image_size, 3}, output "logits" {batch, 1000}, before the
// softmax. Batch norms are explicit; weights are random.

// ResNet-18 (He et al. 2016): two 3x3 convolutions in a block.
absl::StatusOr<OperatorGraph> Resnet18(const ModelOptions& options,
                                       int64_t image_size);
// ResNet-50 v1.5 (He et al. 2016, with the stride of a stage's first block in
// its 3x3 convolution).
absl::StatusOr<OperatorGraph> Resnet50(const ModelOptions& options,
                                       int64_t image_size);
// WideResNet-50-2 (Zagoruyko and Komodakis 2016): ResNet-50 whose blocks are
// twice as wide inside.
absl::StatusOr<OperatorGraph> WideResnet50x2(const ModelOptions& options,
                                             int64_t image_size);

// Of images of 224 x 224, for which they are known.
absl::StatusOr<OperatorGraph> Resnet18(const ModelOptions& options);
absl::StatusOr<OperatorGraph> Resnet50(const ModelOptions& options);
absl::StatusOr<OperatorGraph> WideResnet50x2(const ModelOptions& options);

}  // namespace pruner

#endif  // MODELS_ZOO_RESNET_H_
