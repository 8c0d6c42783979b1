// Inception-v3 (Szegedy et al. 2016), with random weights.
#ifndef MODELS_ZOO_INCEPTION_V3_H_
#define MODELS_ZOO_INCEPTION_V3_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/zoo/options.h"

namespace pruner {

// Input "image" {batch, 299, 299, 3}, output "logits" {batch, 1000}, before the
// softmax. As torchvision has it, whose modules are those of TensorFlow's
// published network; without the auxiliary classifier, which only training
// needs.
absl::StatusOr<OperatorGraph> InceptionV3(const ModelOptions& options);

// Of images of another size, at least 75.
absl::StatusOr<OperatorGraph> InceptionV3(const ModelOptions& options,
                                          int64_t image_size);

}  // namespace pruner

#endif  // MODELS_ZOO_INCEPTION_V3_H_
