#include "models/partition/activation_plan.h"

#include <set>

namespace pruner {
namespace {

// The tensors stored in the caller's output buffers.
std::set<TensorId> StoredInOutputs(const OperatorGraph& graph,
                                   const PartitionResult& partition) {
  std::set<TensorId> stored;
  for (const TensorId output : graph.outputs)
    stored.insert(partition.storage[output]);
  return stored;
}

}  // namespace

std::map<TensorId, BufferLifetime> ArenaLifetimes(
    const OperatorGraph& graph, const PartitionResult& partition) {
  const std::set<TensorId> stored_in_outputs =
      StoredInOutputs(graph, partition);
  std::map<TensorId, BufferLifetime> lifetimes;
  for (int step = 0; step < static_cast<int>(partition.instances.size());
       ++step) {
    const SubgraphInstance& instance = partition.instances[step];
    for (const TensorId input : instance.inputs) {
      const auto buffer = lifetimes.find(partition.storage[input]);
      if (buffer != lifetimes.end()) buffer->second.last = step;
    }
    const TensorId written = instance.destination.whole;
    if (stored_in_outputs.contains(written)) continue;
    const BufferLifetime fresh = {TensorBytes(graph, written), step, step};
    // One that is there already is written slice by slice.
    lifetimes.emplace(written, fresh).first->second.last = step;
  }
  return lifetimes;
}

ActivationPlan PlanActivations(const OperatorGraph& graph,
                               const PartitionResult& partition,
                               int64_t alignment) {
  ActivationPlan plan;
  std::vector<TensorId> tensors;
  std::vector<BufferLifetime> buffers;
  for (const auto& [tensor, lifetime] : ArenaLifetimes(graph, partition)) {
    tensors.push_back(tensor);
    buffers.push_back(lifetime);
  }
  const MemoryPlan memory = PlanMemory(buffers, alignment);
  plan.arena_bytes = memory.bytes;
  for (size_t i = 0; i < tensors.size(); ++i) {
    plan.arena_offsets[tensors[i]] = memory.offsets[i];
  }
  std::set<TensorId> computed;
  for (const SubgraphInstance& instance : partition.instances) {
    computed.insert(instance.destination.whole);
  }
  for (int i = 0; i < static_cast<int>(graph.outputs.size()); ++i) {
    const TensorId stored = partition.storage[graph.outputs[i]];
    if (!computed.contains(stored) ||
        !plan.output_buffers.emplace(stored, i).second) {
      plan.output_copies.push_back({stored, i});
    }
  }
  return plan;
}

}  // namespace pruner
