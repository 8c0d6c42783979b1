// DeepLabv3 (Chen et al. 2017): segmentation by dilated convolutions of several
// rates beside each other, with random weights.
#ifndef MODELS_ZOO_DEEPLAB_V3_H_
#define MODELS_ZOO_DEEPLAB_V3_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/zoo/options.h"

namespace pruner {

// On ResNet-50, as torchvision has it: input "image" {batch, 224, 224, 3},
// output "scores" {batch, 224, 224, 21}, of the classes of PASCAL VOC before
// the softmax. Features have an eighth of the image's resolution; without the
// auxiliary classifier, which only training needs.
absl::StatusOr<OperatorGraph> DeeplabV3Resnet50(const ModelOptions& options);

// Of images of another size.
absl::StatusOr<OperatorGraph> DeeplabV3Resnet50(const ModelOptions& options,
                                                int64_t image_size);

}  // namespace pruner

#endif  // MODELS_ZOO_DEEPLAB_V3_H_
