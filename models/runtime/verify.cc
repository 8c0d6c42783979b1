#include "models/runtime/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::Status CheckSizes(absl::string_view what, const OperatorGraph& graph,
                        absl::Span<const TensorId> tensors,
                        absl::Span<const size_t> sizes) {
  std::vector<size_t> expected;
  for (const TensorId tensor : tensors) {
    expected.push_back(NumElements(graph.ShapeOf(tensor)));
  }
  if (expected == sizes) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the ", what, "s of '", graph.name,
                   "' are not those of the network it is compared with"));
}

}  // namespace

OutputError CompareOutput(const std::string& name, absl::Span<const float> got,
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

absl::StatusOr<std::vector<AlignedFloats>> RunOnArrays(
    Network& network, absl::Span<const Array> inputs) {
  std::vector<AlignedFloats> buffers, outputs;
  std::vector<const float*> from;
  std::vector<float*> to;
  for (const Array& input : inputs) {
    const AlignedFloats& buffer = buffers.emplace_back(input.values.size());
    std::copy(input.values.begin(), input.values.end(), buffer.data());
    from.push_back(buffer.data());
  }
  for (const size_t size : network.output_sizes()) {
    to.push_back(outputs.emplace_back(size).data());
  }
  RETURN_IF_ERROR(network.Run(from, to));
  return outputs;
}

absl::StatusOr<std::vector<OutputError>> CompareWithInterpreter(
    const OperatorGraph& graph, Network& network, uint64_t seed, int threads) {
  RETURN_IF_ERROR(
      CheckSizes("input", graph, graph.inputs, network.input_sizes()));
  RETURN_IF_ERROR(
      CheckSizes("output", graph, graph.outputs, network.output_sizes()));
  const std::vector<Array> inputs = RandomInputs(graph, seed);
  ASSIGN_OR_RETURN(const std::vector<Array> expected,
                   RunGraph(graph, inputs, {.threads = threads}));
  ASSIGN_OR_RETURN(const std::vector<AlignedFloats> got,
                   RunOnArrays(network, inputs));
  std::vector<OutputError> errors;
  errors.reserve(expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    errors.push_back(CompareOutput(graph.tensors[graph.outputs[i]].name,
                                   got[i].span(), expected[i].values));
  }
  return errors;
}

}  // namespace pruner
