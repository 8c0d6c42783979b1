// 3x3 convolution by Winograd's minimal filtering; see winograd_matrices.h.
#ifndef MODELS_OPS_WINOGRAD_H_
#define MODELS_OPS_WINOGRAD_H_

#include "models/ops/op_pipeline.h"
#include "models/ops/pipeline_builder.h"
#include "models/ops/winograd_matrices.h"
#include "models/partition/subgraph.h"

namespace pruner {

// Whether the subgraph's anchor is a 3x3 convolution of stride 1, dense in
// space and channels, whose weights are constants that nobody else reads.
bool WinogradApplies(const Subgraph& subgraph);

// In tiles of as many outputs as the matrices are for; of a subgraph to which
// that applies. Weights come transformed, by Packing.
OpPipeline BuildWinograd(const WinogradMatrices& matrices,
                         PipelineBuilder& builder);

}  // namespace pruner

#endif  // MODELS_OPS_WINOGRAD_H_
