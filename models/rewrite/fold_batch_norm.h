// A rewrite: batch norms become part of the weights before them.
#ifndef MODELS_REWRITE_FOLD_BATCH_NORM_H_
#define MODELS_REWRITE_FOLD_BATCH_NORM_H_

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"

namespace pruner {

// Folds a batch norm with constant parameters into the convolution or Dense
// before it, through a BiasAdd between them if there is one: with f = scale /
// sqrt(variance + epsilon),
//   norm(conv(x, w) + b) = conv(x, w * f) + (b - mean) * f + shift
// where w and b must be constants and nobody else may read what lies between.
// The weights become the original ones with a factor per channel; the batch
// norm becomes a BiasAdd of the batch norm's name, and the BiasAdd before it,
// if any, vanishes.
absl::StatusOr<OperatorGraph> FoldBatchNorm(const OperatorGraph& graph);

}  // namespace pruner

#endif  // MODELS_REWRITE_FOLD_BATCH_NORM_H_
