// Network::Build: which memory each argument of each kernel is in.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/log/check.h"
#include "halide_ext/build/kernel_threads.h"
#include "models/graph/constant.h"
#include "models/ops/packing.h"
#include "models/runtime/compile_tasks.h"
#include "models/runtime/network.h"
#include "models/runtime/tensor_buffer.h"
#include "pruner/base/row_layout.h"
#include "pruner/base/status_macros.h"

namespace pruner {

namespace {

// The kernels of the instances, each once.
class KernelSet {
 public:
  KernelSet(const PartitionResult& partition,
            absl::Span<const NetworkTask> tasks) {
    for (const SubgraphInstance& instance : partition.instances) {
      const RowLayout& rows = instance.destination.rows;
      const auto [known, is_new] = index_of_.emplace(
          std::pair(instance.subgraph, rows), kernels_.size());
      if (is_new) {
        kernels_.push_back(
            {.task = &tasks[instance.subgraph], .output_rows = rows});
      }
      index_.push_back(known->second);
    }
  }

  const std::vector<KernelTask>& kernels() const { return kernels_; }
  // Of an instance's kernel.
  size_t IndexOf(size_t instance) const { return index_[instance]; }

 private:
  std::map<std::pair<int, RowLayout>, size_t> index_of_;
  std::vector<KernelTask> kernels_;
  std::vector<size_t> index_;
};

}  // namespace

class NetworkBuilder {
 public:
  NetworkBuilder(const OperatorGraph& graph, const PartitionResult& partition)
      : graph_(graph),
        partition_(partition),
        plan_(PlanActivations(graph, partition, kTensorAlignment)) {
    activations_ =
        static_cast<char*>(network_.activations_.Allocate(plan_.arena_bytes));
    for (const TensorId input : graph.inputs)
      network_.inputs_.push_back(SpecOf(graph, input));
    for (const TensorId output : graph.outputs)
      network_.outputs_.push_back(SpecOf(graph, output));
    network_.input_uses_.resize(graph.inputs.size());
    network_.output_uses_.resize(graph.outputs.size());
  }

  // The next instance of the partition.
  void AddStep(const SubgraphInstance& instance, const NetworkTask& task,
               const CompiledTask& compiled) {
    const int step = static_cast<int>(network_.steps_.size());
    Network::Step& added = network_.steps_.emplace_back(
        Network::Step{.kernel = compiled.kernel,
                      .tensors = {},
                      .written = SpecOf(graph_, instance.output),
                      .rows = instance.destination.rows});
    network_.names_.push_back(task.workload.name);
    for (const std::string& argument : compiled.arguments) {
      Network::Use use = {.step = step,
                          .argument = static_cast<int>(added.tensors.size())};
      const auto input = std::find_if(
          task.inputs.begin(), task.inputs.end(),
          [&](const OpInput& candidate) { return candidate.name == argument; });
      if (input == task.inputs.end()) {
        const OutputSlice& slice = instance.destination;
        use.offset = slice.offset * BytesOf(graph_.TypeOf(slice.whole));
        added.tensors.push_back(Place(slice.whole, {}, use));
      } else {
        const TensorId tensor = instance.inputs[input - task.inputs.begin()];
        added.tensors.push_back(
            Place(partition_.storage[tensor], input->packing, use));
      }
    }
  }

  Network Finish() && {
    for (const ActivationPlan::OutputCopy& copy : plan_.output_copies) {
      Network::Copy& added = network_.copies_.emplace_back();
      added.output = copy.output;
      added.from_input = InputIndex(copy.from);
      const auto output = plan_.output_buffers.find(copy.from);
      if (output != plan_.output_buffers.end()) {
        added.from_output = output->second;
      }
      if (graph_.constants.contains(copy.from)) {
        added.from = Constant(copy.from, {});
      }
    }
    return std::move(network_);
  }

 private:
  int InputIndex(TensorId stored) const {
    const auto found =
        std::find(graph_.inputs.begin(), graph_.inputs.end(), stored);
    return found == graph_.inputs.end()
               ? -1
               : static_cast<int>(found - graph_.inputs.begin());
  }

  // Where a tensor with storage of its own is; null, and noted down, if that is
  // only known when the network runs.
  void* Place(TensorId stored, const Packing& packing,
              const Network::Use& use) {
    const int input = InputIndex(stored);
    if (input >= 0) {
      network_.input_uses_[input].push_back(use);
      return nullptr;
    }
    const auto output = plan_.output_buffers.find(stored);
    if (output != plan_.output_buffers.end()) {
      network_.output_uses_[output->second].push_back(use);
      return nullptr;
    }
    if (graph_.constants.contains(stored)) return Constant(stored, packing);
    return activations_ + plan_.arena_offsets.at(stored) + use.offset;
  }

  // The constant in this layout; each layout is made once.
  void* Constant(TensorId tensor, const Packing& packing) {
    void*& place = constants_[{tensor, packing}];
    if (place != nullptr) return place;
    const Shape& shape = graph_.ShapeOf(tensor);
    const BufferSpec spec = {
        graph_.TypeOf(tensor),
        static_cast<size_t>(NumElements(PackedShape(shape, packing)))};
    place = network_.constants_.Allocate(spec.bytes());
    AssignPacked(MaterializeConstant(graph_.constants.at(tensor), shape), shape,
                 packing, {spec, place});
    return place;
  }

  const OperatorGraph& graph_;
  const PartitionResult& partition_;
  const ActivationPlan plan_;
  std::map<std::pair<TensorId, Packing>, void*> constants_;
  Network network_;
  char* activations_ = nullptr;
};

absl::StatusOr<Network> Network::Build(const OperatorGraph& graph,
                                       const PartitionResult& partition,
                                       absl::Span<const NetworkTask> tasks,
                                       const SchedulesByWorkload& schedules,
                                       const TargetSpec& target,
                                       const NetworkOptions& options) {
  CHECK_EQ(tasks.size(), partition.subgraphs.size());
  const KernelSet kernels(partition, tasks);
  ASSIGN_OR_RETURN(const std::vector<CompiledTask> compiled,
                   CompileTasks(kernels.kernels(), schedules, target, options));
  SetKernelThreads(options.threads);
  NetworkBuilder builder(graph, partition);
  for (size_t i = 0; i < partition.instances.size(); ++i) {
    const SubgraphInstance& instance = partition.instances[i];
    builder.AddStep(instance, tasks[instance.subgraph],
                    compiled[kernels.IndexOf(i)]);
  }
  Network network = std::move(builder).Finish();
  network.claim_ = options.claim_memory.value_or(!target.cheap_shared_writes);
  return network;
}

}  // namespace pruner
