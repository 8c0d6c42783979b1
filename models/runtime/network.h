// A network compiled for this machine.
#ifndef MODELS_RUNTIME_NETWORK_H_
#define MODELS_RUNTIME_NETWORK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "halide_ext/build/kernel.h"
#include "models/graph/operator_graph.h"
#include "models/ops/tasks.h"
#include "models/partition/activation_plan.h"
#include "models/partition/partition.h"
#include "models/runtime/tensor_arena.h"
#include "models/runtime/tensor_buffer.h"
#include "pruner/base/clock.h"
#include "pruner/base/row_layout.h"
#include "pruner/schedule/transform_step.h"
#include "pruner/target/target_spec.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

using SchedulesByWorkload = std::map<WorkloadKey, Schedule>;

struct NetworkOptions {
  // Threads that run kernels, for the whole process (see SetKernelThreads).
  int threads = 1;
  // Kernels that are compiled at the same time.
  int compile_threads = 1;
  // When kernels run (RunOptions); as it is best for the target, if not said.
  std::optional<bool> claim_memory = std::nullopt;
  // Called whenever another kernel is compiled, by one thread at a time.
  std::function<void(int done, int total, const std::string& name)> progress{};
};

// Kernels, constants and activations of one network. Runs are not thread-safe:
// they share the activations.
class Network {
 public:
  // Compiles a kernel for each of the partition's subgraphs (`partition` is the
  // graph's, `tasks` has one formulation of each subgraph, in their order; see
  // FastestTasks) and lays out the constants. Nothing of that is needed
  // afterwards. NotFound, naming the workload, if it has no schedule; else the
  // errors of WorkloadPipeline::Compile.
  static absl::StatusOr<Network> Build(const OperatorGraph& graph,
                                       const PartitionResult& partition,
                                       absl::Span<const NetworkTask> tasks,
                                       const SchedulesByWorkload& schedules,
                                       const TargetSpec& target,
                                       const NetworkOptions& options = {});

  // Names of the kernels in the order in which they run; one that runs twice is
  // there twice.
  const std::vector<std::string>& kernel_names() const { return names_; }
  // Whether kernels claim what they are going to write (RunOptions).
  bool claims_memory() const { return claim_; }
  // Inputs and outputs, in the order of the graph's.
  const std::vector<BufferSpec>& inputs() const { return inputs_; }
  const std::vector<BufferSpec>& outputs() const { return outputs_; }
  size_t arena_bytes() const { return activations_.bytes(); }
  size_t constant_bytes() const { return constants_.bytes(); }

  // Runs the network once: from and to the caller's buffers, which are as
  // inputs() and outputs() say, in row-major order, aligned to
  // kTensorAlignment; outputs overlap nothing. InvalidArgument if the buffers
  // are not as they should be; what a kernel reports, with its name.
  absl::Status Run(absl::Span<const void* const> inputs,
                   absl::Span<void* const> outputs);

  // The same; whenever a kernel has run, `after_step` is told which one, by its
  // index in kernel_names(), and sees what it wrote, before another kernel
  // writes there. What it changes, the kernels that come find changed.
  using AfterStep =
      absl::FunctionRef<void(size_t step, const TensorView& written)>;
  absl::Status RunWatched(absl::Span<const void* const> inputs,
                          absl::Span<void* const> outputs,
                          AfterStep after_step);

  // As Run, and the seconds that each kernel took, in the order of
  // kernel_names().
  absl::StatusOr<std::vector<double>> RunTimed(
      absl::Span<const void* const> inputs, absl::Span<void* const> outputs,
      Clock& clock = RealClock());

 private:
  // Who reads or writes one of the caller's buffers.
  struct Use {
    int step = 0;
    int argument = 0;
    int64_t offset = 0;  // in bytes
  };
  struct Copy {
    const void* from = nullptr;  // null: an input or output of the caller
    int from_input = -1;
    int from_output = -1;
    int output = -1;
  };
  struct Step {
    Kernel kernel;
    std::vector<void*> tensors;  // in the order of the kernel's arguments
    BufferSpec written;          // of the last one, its output
    RowLayout rows;              // of the same
  };
  friend class NetworkBuilder;

  Network() = default;

  // Puts the caller's buffers where the steps look for them.
  absl::Status Bind(absl::Span<const void* const> inputs,
                    absl::Span<void* const> outputs);
  absl::Status RunStep(size_t step) const;
  void CopyOutputs(absl::Span<const void* const> inputs,
                   absl::Span<void* const> outputs) const;

  std::vector<Step> steps_;
  std::vector<std::string> names_;  // by step
  std::vector<BufferSpec> inputs_;
  std::vector<BufferSpec> outputs_;
  std::vector<std::vector<Use>> input_uses_;   // by input
  std::vector<std::vector<Use>> output_uses_;  // by output
  std::vector<Copy> copies_;
  bool claim_ = true;
  TensorArena constants_;
  TensorArena activations_;
};

}  // namespace pruner

#endif  // MODELS_RUNTIME_NETWORK_H_
