// 3x3 convolution by Winograd's minimal filtering; see winograd_matrices.h.
#ifndef MODELS_OPS_WINOGRAD_H_
#define MODELS_OPS_WINOGRAD_H_

#include <cstdint>

#include "models/ops/op_pipeline.h"
#include "models/ops/pipeline_builder.h"
#include "models/partition/subgraph.h"

namespace pruner {

// Whether the subgraph's anchor is a 3x3 convolution of stride 1, dense in
// space and channels, whose weights are constants that nobody else reads.
bool WinogradApplies(const Subgraph& subgraph);

// In tiles of tile x tile outputs, tile being 2 or 4; of a subgraph to which
// that applies.
OpPipeline BuildWinograd(int64_t tile, PipelineBuilder& builder);

}  // namespace pruner

#endif  // MODELS_OPS_WINOGRAD_H_
