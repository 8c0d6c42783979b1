#include "tools/bench/schedule_subjects.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "halide_ext/analyze/fixed_names.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "models/graph/graph_builder.h"
#include "models/ops/formulation.h"
#include "models/partition/partition.h"
#include "pruner/base/status_macros.h"
#include "tools/bench/pipeline_parts.h"

namespace pruner {
namespace {

constexpr int64_t kSize = 56, kChannels = 64;

absl::StatusOr<Halide::Pipeline> Winograd(const TargetSpec& target) {
  GraphBuilder b("bench");
  const TensorId x = b.Input("x", {1, kSize, kSize, kChannels});
  const TensorId weights =
      b.Constant("weights", {3, 3, kChannels, kChannels}, {RandomValues{}});
  const TensorId conv = b.Conv2d("conv", x, weights, {.padding = {1, 1, 1, 1}});
  b.Output(b.Relu(
      "relu", b.BiasAdd("biased", conv,
                        b.Constant("bias", {kChannels}, {RandomValues{}}))));
  ASSIGN_OR_RETURN(const OperatorGraph graph, std::move(b).Build());
  ASSIGN_OR_RETURN(const PartitionResult partition, PartitionGraph(graph));
  ASSIGN_OR_RETURN(const std::vector<Formulation> formulations,
                   Formulations(partition.subgraphs[0].subgraph, target,
                                {.names = {std::string(kWinogradF4)}}));
  return formulations.back().op.pipeline;
}

Halide::Pipeline StencilChain(int stages, int size) {
  const int size_in = size + 2 * stages;
  const Halide::ImageParam input = DenseInput("input", {size_in, size_in});
  const Halide::Var x("x"), y("y");
  Halide::Func last = NamedFunc("stencil0");
  last(x, y) = input(x, y) * 0.5f;
  for (int i = 1; i < stages; ++i) {
    Halide::Func next = NamedFunc(absl::StrCat("stencil", i));
    Halide::Expr sum = last(x + 1, y + 1) * 0.5f;
    for (int dy = 0; dy < 3; ++dy) {
      for (int dx = 0; dx < 3; ++dx) sum += last(x + dx, y + dy) * 0.0625f;
    }
    next(x, y) = sum;
    last = next;
  }
  return WithOutput(last, {size, size});
}

}  // namespace

absl::StatusOr<std::vector<ScheduleSubject>> ScheduleSubjects(
    const TargetSpec& target) {
  ASSIGN_OR_RETURN(Halide::Pipeline winograd, Winograd(target));
  return std::vector<ScheduleSubject>{
      {"conv", "convolution 3x3, bias, ReLU; 56x56, 64 to 64 channels",
       ConvBiasReluPipeline({.size = kSize,
                             .in_channels = kChannels,
                             .out_channels = kChannels,
                             .kernel = 3})},
      {"winograd_f4", "the same in tiles of 4x4, by Winograd",
       std::move(winograd)},
      {"stencils", "20 stencils of 3x3, one after another",
       StencilChain(/*stages=*/20, /*size=*/1024)}};
}

}  // namespace pruner
