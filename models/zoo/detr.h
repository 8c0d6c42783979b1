// DETR (Carion et al., End-to-end object detection with transformers, 2020),
// with random weights.
#ifndef MODELS_ZOO_DETR_H_
#define MODELS_ZOO_DETR_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/zoo/options.h"

namespace pruner {

// On the features of ResNet-50, with sines for positions. Input "image" {batch,
// image_size, image_size, 3}, all of it valid, so that there is no mask;
// outputs, of each of 100 queries, "logits" {batch, 100, 92}, of 91 classes and
// of none, and "boxes" {batch, 100, 4}: center, width and height, as parts of
// the image's. Batch norms are explicit.
absl::StatusOr<OperatorGraph> DetrResnet50(const ModelOptions& options,
                                           int64_t image_size);

// Of images of 256 x 256, with which autotuners are compared.
absl::StatusOr<OperatorGraph> DetrResnet50(const ModelOptions& options);

}  // namespace pruner

#endif  // MODELS_ZOO_DETR_H_
