// Convolution as a matrix product of unrolled windows.
#ifndef MODELS_OPS_IM2COL_H_
#define MODELS_OPS_IM2COL_H_

#include "models/ops/op_pipeline.h"
#include "models/ops/pipeline_builder.h"
#include "models/partition/subgraph.h"

namespace pruner {

// Whether the subgraph's anchor is a convolution that is dense in channels and
// whose windows are more than the pixels themselves.
bool Im2colApplies(const Subgraph& subgraph);

// Of a subgraph to which that applies.
OpPipeline BuildIm2col(PipelineBuilder& builder);

}  // namespace pruner

#endif  // MODELS_OPS_IM2COL_H_
