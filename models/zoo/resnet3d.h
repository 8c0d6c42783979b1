// Residual networks for videos, with random weights.
#ifndef MODELS_ZOO_RESNET3D_H_
#define MODELS_ZOO_RESNET3D_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/zoo/options.h"

namespace pruner {

// 3D ResNet-18 (R3D of Tran et al. 2018, as torchvision has it): input "video"
// {batch, 16, 112, 112, 3}, output "logits" {batch, 400}, before the softmax.
// The first convolution keeps all frames and nothing is pooled behind it.
absl::StatusOr<OperatorGraph> Resnet3d18(const ModelOptions& options);

// Of videos of another length and size.
absl::StatusOr<OperatorGraph> Resnet3d18(const ModelOptions& options,
                                         int64_t frames, int64_t image_size);

}  // namespace pruner

#endif  // MODELS_ZOO_RESNET3D_H_
