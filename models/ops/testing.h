// For tests of pipelines.
#ifndef MODELS_OPS_TESTING_H_
#define MODELS_OPS_TESTING_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
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

// The same pipeline, its output a part of the channels of a larger tensor.
absl::StatusOr<WorkloadPipeline> WithinMoreChannels(
    const WorkloadPipeline& pipeline, const Subgraph& subgraph);

// What the kernel, compiled from StoreAndLoad(op), computes for the inputs of
// the subgraph: its output, in a shape of one dimension. Expects that it writes
// nothing else.
Array RunKernel(const Kernel& kernel, const WorkloadPipeline& pipeline,
                const OpPipeline& op, const std::vector<Array>& inputs);

// What the pipeline computes without a schedule, for the subgraph's inputs.
Array RunUnscheduled(const OpPipeline& op, const std::vector<Array>& inputs);

// Expects that the subgraph's pipeline, without a schedule, computes what the
// interpreter does of random inputs.
void ExpectComputes(const Subgraph& subgraph, uint64_t seed);
// The same of OnlySubgraph(build).
void ExpectComputes(absl::FunctionRef<void(GraphBuilder&)> build);

struct Operand {
  Shape shape;
  DataType type = DataType::kFloat32;
};

// Expects that the operator computes what the interpreter says, alone and, if
// its output is float32, with others behind it.
void ExpectOperatorComputes(const Operator& op,
                            const std::vector<Operand>& operands);

}  // namespace pruner

#endif  // MODELS_OPS_TESTING_H_
