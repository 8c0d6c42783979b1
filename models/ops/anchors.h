// One function per kind of anchor, each in a file of its own: the accumulator,
// and "out" with what follows it.
#ifndef MODELS_OPS_ANCHORS_H_
#define MODELS_OPS_ANCHORS_H_

#include "models/graph/operators.h"
#include "models/ops/op_pipeline.h"
#include "models/ops/pipeline_builder.h"

namespace pruner {

OpPipeline BuildAnchor(const Conv2d& op, PipelineBuilder& builder);
OpPipeline BuildAnchor(const Dense& op, PipelineBuilder& builder);
OpPipeline BuildAnchor(const MaxPool2d& op, PipelineBuilder& builder);
OpPipeline BuildAnchor(const AvgPool2d& op, PipelineBuilder& builder);
OpPipeline BuildAnchor(const GlobalAvgPool& op, PipelineBuilder& builder);
OpPipeline BuildAnchor(const Softmax& op, PipelineBuilder& builder);

// Elementwise operators alone.
OpPipeline BuildElementwise(PipelineBuilder& builder);

}  // namespace pruner

#endif  // MODELS_OPS_ANCHORS_H_
