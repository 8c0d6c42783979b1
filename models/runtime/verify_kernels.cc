#include "models/runtime/verify_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "models/graph/interpreter.h"
#include "models/graph/reference_operators.h"
#include "models/runtime/network_tensors.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

std::vector<Array> MakeInputs(const OperatorGraph& graph, NetworkInputs kind,
                              uint64_t seed) {
  std::vector<Array> inputs = RandomInputs(graph, seed);
  Rng rng(seed);
  for (Array& input : inputs) {
    for (double& value : input.values) {
      if (kind == NetworkInputs::kZeros) value = 0;
      if (kind == NetworkInputs::kIntegers)
        value = static_cast<double>(rng.Uniform(-4, 4));
    }
  }
  return inputs;
}

// What the instances write, in double precision, by instance.
absl::StatusOr<std::vector<Array>> ExpectedTensors(
    const OperatorGraph& graph, const PartitionResult& partition,
    absl::Span<const Array> inputs, int threads) {
  OperatorGraph all = graph;
  all.outputs.clear();
  for (const SubgraphInstance& instance : partition.instances)
    all.outputs.push_back(instance.output);
  return RunGraph(all, inputs, {.threads = threads});
}

// By instance.
std::vector<double> Tolerances(const PartitionResult& partition,
                               absl::Span<const NetworkTask> tasks) {
  std::map<TensorId, double> of_tensor;
  std::vector<double> tolerances;
  for (const SubgraphInstance& instance : partition.instances) {
    double inherited = 0;
    for (const TensorId input : instance.inputs) {
      const auto found = of_tensor.find(partition.storage[input]);
      if (found != of_tensor.end())
        inherited = std::max(inherited, found->second);
    }
    const double tolerance = std::min(
        kMostTolerance, inherited + tasks[instance.subgraph].tolerance);
    tolerances.push_back(of_tensor[instance.output] = tolerance);
  }
  return tolerances;
}

void Compare(absl::Span<const float> got, absl::Span<const double> expected,
             KernelError& error) {
  double largest = 0, difference = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!std::isfinite(expected[i])) continue;
    largest = std::max(largest, std::abs(expected[i]));
    double d = std::abs(got[i] - expected[i]);
    if (!std::isfinite(d)) d = std::numeric_limits<double>::infinity();
    if (d <= difference) continue;
    difference = d;
    error.element = static_cast<int64_t>(i);
  }
  error.relative = difference == 0 ? 0 : difference / largest;
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
  ASSIGN_OR_RETURN(const std::vector<Array> expected,
                   ExpectedTensors(graph, partition, arrays, options.threads));
  const std::vector<double> tolerances = Tolerances(partition, tasks);
  NetworkTensors tensors(network);
  tensors.Assign(arrays);
  std::vector<KernelError> errors;
  const auto compare = [&](size_t step, absl::Span<float> written) {
    if (options.after_step) options.after_step(step, written);
    KernelError& error =
        errors.emplace_back(KernelError{.kernel = network.kernel_names()[step],
                                        .step = step,
                                        .tolerance = tolerances[step]});
    Compare(written, expected[step].values, error);
  };
  RETURN_IF_ERROR(network.RunWatched(tensors.input_pointers(),
                                     tensors.output_pointers(), compare));
  return errors;
}

}  // namespace pruner
