// Where a partitioned network's activations live.
#ifndef MODELS_PARTITION_ACTIVATION_PLAN_H_
#define MODELS_PARTITION_ACTIVATION_PLAN_H_

#include <cstdint>
#include <map>
#include <vector>

#include "models/graph/operator_graph.h"
#include "models/partition/memory_plan.h"
#include "models/partition/partition.h"

namespace pruner {

// Inputs and outputs of the graph are the caller's buffers, constants are
// stored apart; what lies between shares one arena. A tensor is found under
// PartitionResult::storage of it.
struct ActivationPlan {
  std::map<TensorId, int64_t> arena_offsets;  // in bytes
  int64_t arena_bytes = 0;
  // Tensors that an instance computes right into the buffer of an output: index
  // into graph.outputs.
  std::map<TensorId, int> output_buffers;
  // Outputs that are nobody's own: views of an input, a constant or another
  // output. Once all instances have run, the bytes of `from` are copied there.
  struct OutputCopy {
    TensorId from = -1;
    int output = -1;  // index into graph.outputs
    bool operator==(const OutputCopy&) const = default;
  };
  std::vector<OutputCopy> output_copies;
};

// `partition` is the graph's. A tensor that nobody reads still gets one for its
// instance to write.
ActivationPlan PlanActivations(const OperatorGraph& graph,
                               const PartitionResult& partition,
                               int64_t alignment = 64);

// The arena's buffers with their lifetimes in numbers of instances, by tensor.
std::map<TensorId, BufferLifetime> ArenaLifetimes(
    const OperatorGraph& graph, const PartitionResult& partition);

}  // namespace pruner

#endif  // MODELS_PARTITION_ACTIVATION_PLAN_H_
