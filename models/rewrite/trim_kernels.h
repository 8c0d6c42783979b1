// Convolutions without what reads nothing but padding.
#ifndef MODELS_REWRITE_TRIM_KERNELS_H_
#define MODELS_REWRITE_TRIM_KERNELS_H_

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"

namespace pruner {

// The kernel of a Conv2d, a constant, loses the rows and columns at its ends
// that lie on padding wherever the window is. Where dilations are as large as
// the image, as in DeepLab's pyramid, a 3x3 kernel is a 1x1 one.
absl::StatusOr<OperatorGraph> TrimKernels(const OperatorGraph& graph);

}  // namespace pruner

#endif  // MODELS_REWRITE_TRIM_KERNELS_H_
