// For tests of pipelines.
#ifndef MODELS_OPS_TESTING_H_
#define MODELS_OPS_TESTING_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "halide_ext/build/kernel.h"
#include "models/graph/graph_builder.h"
#include "models/graph/interpreter.h"
#include "models/ops/op_pipeline.h"
#include "models/partition/subgraph.h"

namespace pruner {

// The only subgraph of the network that `build` makes.
Subgraph OnlySubgraph(absl::FunctionRef<void(GraphBuilder&)> build);

// The pipeline as workers get it: stored as a workload and loaded.
WorkloadPipeline StoreAndLoad(const OpPipeline& op);

// What the kernel, compiled from StoreAndLoad(op), computes for the inputs of
// the subgraph: its output, in a shape of one dimension.
Array RunKernel(const Kernel& kernel, const WorkloadPipeline& pipeline,
                const OpPipeline& op, const std::vector<Array>& inputs);

}  // namespace pruner

#endif  // MODELS_OPS_TESTING_H_
