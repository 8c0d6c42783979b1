#include "models/ops/testing.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "absl/log/check.h"
#include "models/partition/partition.h"

namespace pruner {

Subgraph OnlySubgraph(absl::FunctionRef<void(GraphBuilder&)> build) {
  GraphBuilder builder("test");
  build(builder);
  const absl::StatusOr<OperatorGraph> graph = std::move(builder).Build();
  CHECK_OK(graph.status());
  const absl::StatusOr<PartitionResult> partition = PartitionGraph(*graph);
  CHECK_OK(partition.status());
  CHECK_EQ(partition->subgraphs.size(), 1u);
  return partition->subgraphs[0].subgraph;
}

WorkloadPipeline StoreAndLoad(const OpPipeline& op) {
  const absl::StatusOr<Workload> workload = MakeWorkload("test", op.pipeline);
  CHECK_OK(workload.status());
  absl::StatusOr<WorkloadPipeline> pipeline =
      WorkloadPipeline::Load(workload->pipeline);
  CHECK_OK(pipeline.status());
  return *std::move(pipeline);
}

Array RunKernel(const Kernel& kernel, const WorkloadPipeline& pipeline,
                const OpPipeline& op, const std::vector<Array>& inputs) {
  CHECK_EQ(op.inputs.size(), inputs.size());
  std::map<std::string, std::vector<float>> packed;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<float> values(inputs[i].values.begin(),
                                    inputs[i].values.end());
    packed[op.inputs[i].name] =
        PackConstant(values, inputs[i].shape, op.inputs[i].packing);
  }
  // Halide's buffers are aligned.
  std::vector<Halide::Runtime::Buffer<float>> buffers;
  std::vector<void*> tensors;
  for (const KernelArgument& argument : pipeline.arguments()) {
    auto& buffer =
        buffers.emplace_back(static_cast<int>(argument.NumElements()));
    tensors.push_back(buffer.data());
    if (argument.name == "out") {
      // What is not written is no number.
      buffer.fill(std::numeric_limits<float>::quiet_NaN());
      continue;
    }
    const std::vector<float>& values = packed.at(argument.name);
    CHECK_EQ(argument.NumElements(), static_cast<int64_t>(values.size()));
    std::copy(values.begin(), values.end(), buffer.data());
  }
  CHECK_OK(kernel.Run(tensors));
  const auto& out = buffers.back();
  return {{out.dim(0).extent()}, {out.begin(), out.end()}};
}

}  // namespace pruner
