#include "models/runtime/verify_kernels.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "models/graph/interpreter.h"
#include "models/operators/operators.h"
#include "models/runtime/error_scale.h"
#include "models/runtime/network_tensors.h"
#include "models/runtime/verify.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

std::vector<Array> MakeInputs(const OperatorGraph& graph, NetworkInputs kind,
                              uint64_t seed) {
  std::vector<Array> inputs = RandomInputs(graph, seed);
  Rng rng(seed);
  for (size_t i = 0; i < inputs.size(); ++i) {
    // Indices and conditions are as they are.
    if (graph.TypeOf(graph.inputs[i]) != DataType::kFloat32) continue;
    for (double& value : inputs[i].values) {
      if (kind == NetworkInputs::kZeros) value = 0;
      if (kind == NetworkInputs::kIntegers)
        value = static_cast<double>(rng.Uniform(-4, 4));
    }
  }
  return inputs;
}

// What the instances write, by instance: computed in double precision of what
// those before them write, rounded. A softmax of large numbers would not
// forgive that its inputs are others.
struct ExpectedTensor {
  Array tensor;
  double error_scale = 1;
};

absl::StatusOr<std::vector<ExpectedTensor>> ExpectedTensors(
    const OperatorGraph& graph, const PartitionResult& partition,
    absl::Span<const Array> inputs, int threads) {
  OperatorGraph all = graph;
  all.outputs.clear();
  std::vector<size_t> ends;  // of an instance's outputs: its own is the first
  for (const SubgraphInstance& instance : partition.instances) {
    all.outputs.push_back(instance.output);
    const std::vector<TensorId> operands =
        OperandsOfBounded(graph, instance.nodes);
    all.outputs.insert(all.outputs.end(), operands.begin(), operands.end());
    ends.push_back(all.outputs.size());
  }
  ASSIGN_OR_RETURN(
      std::vector<Array> outputs,
      RunGraph(all, inputs, {.threads = threads, .round_outputs = true}));
  std::vector<ExpectedTensor> expected;
  size_t begin = 0;
  for (const size_t end : ends) {
    const absl::Span<const Array> operands =
        absl::MakeConstSpan(outputs).subspan(begin + 1, end - begin - 1);
    const double error_scale = ErrorScale(outputs[begin], operands);
    expected.push_back({std::move(outputs[begin]), error_scale});
    begin = end;
  }
  return expected;
}

}  // namespace

absl::string_view NetworkInputsName(NetworkInputs inputs) {
  switch (inputs) {
    case NetworkInputs::kRandom:
      return "random inputs";
    case NetworkInputs::kIntegers:
      return "whole numbers as inputs";
    case NetworkInputs::kZeros:
      return "zeros as inputs";
  }
  return "";
}

absl::StatusOr<std::vector<KernelError>> CompareKernels(
    const OperatorGraph& graph, const PartitionResult& partition,
    absl::Span<const NetworkTask> tasks, NetworkInputs inputs, Network& network,
    const VerifyKernelsOptions& options) {
  const std::vector<Array> arrays = MakeInputs(graph, inputs, options.seed);
  ASSIGN_OR_RETURN(const std::vector<ExpectedTensor> expected,
                   ExpectedTensors(graph, partition, arrays, options.threads));
  NetworkTensors tensors(network);
  tensors.Assign(arrays);
  std::vector<KernelError> errors;
  const auto compare = [&](size_t step, const TensorView& written) {
    if (options.after_step) options.after_step(step, written);
    const std::string& kernel = network.kernel_names()[step];
    const std::vector<double>& exact = expected[step].tensor.values;
    const OutputError error = CompareOutput(kernel, written.Values(), exact);
    errors.push_back(
        {.kernel = kernel,
         .step = step,
         .relative = error.relative,
         .tolerance = expected[step].error_scale *
                      tasks[partition.instances[step].subgraph].tolerance,
         .element = error.element});
    // The next kernels are judged by what they make of exact inputs.
    written.Assign(exact);
  };
  RETURN_IF_ERROR(network.RunWatched(tensors.input_pointers(),
                                     tensors.output_pointers(), compare));
  return errors;
}

}  // namespace pruner
