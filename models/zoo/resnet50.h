// ResNet-50, with random weights.
#ifndef MODELS_ZOO_RESNET50_H_
#define MODELS_ZOO_RESNET50_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/zoo/options.h"

namespace pruner {

// ResNet-50 v1.5 (He et al. 2016, with the stride of a stage's first block in
// its 3x3 convolution): input "image" {batch, 224, 224, 3}, output "logits"
// {batch, 1000}, before the softmax. Batch norms are explicit; weights are
// random.
absl::StatusOr<OperatorGraph> Resnet50(const ModelOptions& options);

// The same for square images of another size, which keeps tests short.
absl::StatusOr<OperatorGraph> Resnet50(const ModelOptions& options,
                                       int64_t image_size);

}  // namespace pruner

#endif  // MODELS_ZOO_RESNET50_H_
