// A network small enough for tests.
#ifndef MODELS_ZOO_TINY_H_
#define MODELS_ZOO_TINY_H_

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/zoo/options.h"

namespace pruner {

// A network for end-to-end tests with a little of everything a ResNet has, at
// 0.5 MFLOP: input "image" {batch, 16, 16, 3}, output "probabilities" {batch,
// 10}.
absl::StatusOr<OperatorGraph> Tiny(const ModelOptions& options);

}  // namespace pruner

#endif  // MODELS_ZOO_TINY_H_
