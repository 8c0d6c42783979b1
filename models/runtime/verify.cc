#include "models/runtime/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/runtime/network_tensors.h"
#include "models/runtime/tensor_buffer.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::Status CheckSpecs(absl::string_view what, const OperatorGraph& graph,
                        absl::Span<const TensorId> tensors,
                        absl::Span<const BufferSpec> specs) {
  std::vector<BufferSpec> expected;
  for (const TensorId tensor : tensors)
    expected.push_back(SpecOf(graph, tensor));
  if (expected == specs) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the ", what, "s of '", graph.name,
                   "' are not those of the network it is compared with"));
}

}  // namespace

OutputError CompareOutput(const std::string& name, absl::Span<const double> got,
                          absl::Span<const double> expected) {
  CHECK_EQ(got.size(), expected.size());
  OutputError error{.output = name};
  double largest = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    if (!std::isfinite(expected[i])) continue;
    largest = std::max(largest, std::abs(expected[i]));
    double difference = std::abs(got[i] - expected[i]);
    if (!std::isfinite(difference))
      difference = std::numeric_limits<double>::infinity();
    if (difference <= error.max_absolute) continue;
    error.max_absolute = difference;
    error.element = static_cast<int64_t>(i);
  }
  error.relative = error.max_absolute == 0 ? 0 : error.max_absolute / largest;
  return error;
}

absl::StatusOr<std::vector<std::vector<double>>> RunOnArrays(
    Network& network, absl::Span<const Array> inputs) {
  NetworkTensors tensors(network);
  tensors.Assign(inputs);
  RETURN_IF_ERROR(
      network.Run(tensors.input_pointers(), tensors.output_pointers()));
  std::vector<std::vector<double>> outputs;
  for (const TensorBuffer& output : tensors.outputs())
    outputs.push_back(output.view().Values());
  return outputs;
}

absl::StatusOr<std::vector<OutputError>> CompareWithInterpreter(
    const OperatorGraph& graph, Network& network, uint64_t seed, int threads) {
  RETURN_IF_ERROR(CheckSpecs("input", graph, graph.inputs, network.inputs()));
  RETURN_IF_ERROR(
      CheckSpecs("output", graph, graph.outputs, network.outputs()));
  const std::vector<Array> inputs = RandomInputs(graph, seed);
  ASSIGN_OR_RETURN(const std::vector<Array> expected,
                   RunGraph(graph, inputs, {.threads = threads}));
  ASSIGN_OR_RETURN(const std::vector<std::vector<double>> got,
                   RunOnArrays(network, inputs));
  std::vector<OutputError> errors;
  errors.reserve(expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    errors.push_back(CompareOutput(graph.tensors[graph.outputs[i]].name, got[i],
                                   expected[i].values));
  }
  return errors;
}

}  // namespace pruner
