// Convolution on activations in blocks of channels (NCHWc).
#ifndef MODELS_OPS_CHANNEL_BLOCKS_H_
#define MODELS_OPS_CHANNEL_BLOCKS_H_

#include "models/ops/op_pipeline.h"
#include "models/ops/pipeline_builder.h"
#include "models/partition/subgraph.h"

namespace pruner {

// Whether the subgraph's anchor is a convolution that is dense in channels,
// whose weights are constants that nobody else reads.
bool ChannelBlocksApply(const Subgraph& subgraph);

// In blocks of as many channels as vectors have lanes; of a subgraph to which
// that applies.
OpPipeline BuildChannelBlocks(PipelineBuilder& builder);

}  // namespace pruner

#endif  // MODELS_OPS_CHANNEL_BLOCKS_H_
