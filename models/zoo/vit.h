// Vision transformers (Dosovitskiy et al. 2021), with random weights.
#ifndef MODELS_ZOO_VIT_H_
#define MODELS_ZOO_VIT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/zoo/options.h"

namespace pruner {

// Input "image" {batch, image_size, image_size, 3}, the size a multiple of that
// of the patches; output "logits" {batch, 1000}, before the softmax.

// ViT-B/16 as torchvision has it: patches of 16 x 16, 12 layers of 768 channels
// and 12 heads.
absl::StatusOr<OperatorGraph> VitB16(const ModelOptions& options,
                                     int64_t image_size);
// The first example of vit-pytorch: patches of 32 x 32, normalized before and
// after their projection, 6 layers of 1024 channels and 16 heads, queries, keys
// and values without biases.
absl::StatusOr<OperatorGraph> Vit(const ModelOptions& options,
                                  int64_t image_size);

// Of images of the sizes for which they are known, 224 x 224 and 256 x 256.
absl::StatusOr<OperatorGraph> VitB16(const ModelOptions& options);
absl::StatusOr<OperatorGraph> Vit(const ModelOptions& options);

}  // namespace pruner

#endif  // MODELS_ZOO_VIT_H_
